package dev.latchkey.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.torture.Report;
import dev.latchkey.torture.Target;
import dev.latchkey.torture.Witness;
import java.util.Locale;
import java.util.Map;

/// Says what came of a torture, to people and to programs.
final class TortureText {

    private static final int SHOWN = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Target target;
    private final Report report;
    private final long seed;

    TortureText(Target target, Report report, long seed) {
        this.target = target;
        this.report = report;
        this.seed = seed;
    }

    String table() {
        StringBuilder text = new StringBuilder(System.lineSeparator());
        Table sums = new Table("KEYS", "CALLS", "EFFECTS", "SECONDS", "SEED");
        sums.add(number(report.keys()), number(report.calls()), number(report.effects()),
                number(report.load().toSeconds()), Long.toString(seed));
        text.append(sums).append(System.lineSeparator());
        text.append(counts("ANSWER", report.answers())).append(System.lineSeparator());
        if (report.unaudited() == null) {
            text.append(counts("ENDING", report.endings())).append(System.lineSeparator());
        }
        if (!report.findings().isEmpty()) {
            Table wrong = new Table("ENTRY", "VIOLATION", "ITS CALLERS WERE TOLD");
            report.findings().stream().limit(SHOWN).forEach(each -> wrong.add(
                    entry(each), each.what(), String.join(", ", each.told())));
            text.append(wrong);
            int more = report.findings().size() - SHOWN;
            text.append(more > 0 ? "and " + number(more) + " more" + System.lineSeparator() : "")
                    .append(System.lineSeparator());
        }
        return text.append(verdict()).append(System.lineSeparator()).toString();
    }

    String json() {
        ObjectNode all = JSON.createObjectNode().put("verdict", word()).put("route", target.route()).put("seed", seed)
                .put("seconds", report.load().toSeconds()).put("keys", report.keys()).put("calls", report.calls())
                .put("effects", report.effects());
        report.answers().forEach(all.putObject("answers")::put);
        report.endings().forEach(all.putObject("endings")::put);
        ArrayNode wrong = all.putArray("violations");
        for (Witness.Finding each : report.findings()) {
            ObjectNode one = wrong.addObject().put("entry_id", entry(each)).put("idempotency_key", each.key())
                    .put("what", each.what());
            each.told().forEach(one.putArray("told")::add);
        }
        if (report.unaudited() != null) {
            all.put("why", report.unaudited());
        }
        return all.toPrettyString() + System.lineSeparator();
    }

    private String word() {
        return report.clean() ? "clean" : report.findings().isEmpty() ? "not-audited" : "violated";
    }

    private String verdict() {
        if (report.clean()) {
            return "Clean: no key took effect twice, and nothing that callers were told is untrue.";
        }
        String audited = report.unaudited() == null ? "" : "Not audited to the end: " + report.unaudited() + ". ";
        long keys = report.findings().stream().map(Witness.Finding::key).distinct().count();
        return audited + (report.findings().isEmpty()
                ? "Nobody can say whether all is well."
                : "Violated: " + number(report.findings().size()) + " findings, in " + number(keys) + " of "
                        + number(report.keys()) + " keys. To repeat it: --seed " + seed + ".");
    }

    private String entry(Witness.Finding finding) {
        return EntryId.of(target.client(), IdempotencyKey.of(finding.key())).toString();
    }

    private static Table counts(String of, Map<String, Long> counts) {
        Table table = new Table("COUNT", of);
        counts.forEach((kind, count) -> table.add(number(count), kind));
        return table;
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}

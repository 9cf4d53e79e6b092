package dev.latchkey.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What came of a torture. Immutable.
///
/// @param load how long the load lasted
/// @param keys how many were called
/// @param answers how often each kind was heard
/// @param endings how many keys the ledger has as what
/// @param effects how many the keys had
/// @param findings what is not true
/// @param unaudited why nobody can say whether all is well; null: it was audited
public record Report(
        Duration load, int keys, Map<String, Long> answers, Map<String, Long> endings, long effects,
        List<Witness.Finding> findings, @Nullable String unaudited) {

    static final Report NOTHING = new Report(Duration.ZERO, 0, Map.of(), Map.of(), 0, List.of(), null);

    public Report {
        answers = new TreeMap<>(answers);
        endings = new TreeMap<>(endings);
        findings = List.copyOf(findings);
    }

    /// Whether it was audited, and nothing is wrong.
    public boolean clean() {
        return unaudited == null && findings.isEmpty();
    }

    /// How many calls were made.
    public long calls() {
        return answers.values().stream().mapToLong(Long::longValue).sum();
    }

    Report and(Report next) {
        List<Witness.Finding> all = new ArrayList<>(findings);
        all.addAll(next.findings);
        return new Report(
                load.plus(next.load), keys + next.keys, sum(answers, next.answers), sum(endings, next.endings),
                effects + next.effects, all, unaudited == null ? next.unaudited : unaudited);
    }

    private static Map<String, Long> sum(Map<String, Long> some, Map<String, Long> more) {
        Map<String, Long> all = new TreeMap<>(some);
        more.forEach((name, count) -> all.merge(name, count, Long::sum));
        return all;
    }
}

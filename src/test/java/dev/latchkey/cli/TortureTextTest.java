package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.torture.Report;
import dev.latchkey.torture.Target;
import dev.latchkey.torture.Witness;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TortureTextTest {

    private static final Map<String, Long> ANSWERS = Map.of(
            "202 recorded", 1000L, "202 recorded replayed", 500L, "409 outcome-unknown", 3L, "500 in-doubt", 4L,
            "422 key-reused", 6L, "429 released", 1L, "no answer", 8L);

    @Test
    void cleanReportSaysWhatWasDone() {
        assertThat(text(List.of(), null).table()).isEqualTo("""

                KEYS   CALLS  EFFECTS  SECONDS  SEED
                1,200  1,522  1,100    60       7

                COUNT  ANSWER
                1,000  202 recorded
                500    202 recorded replayed
                3      409 outcome-unknown
                6      422 key-reused
                1      429 released
                4      500 in-doubt
                8      no answer

                COUNT  ENDING
                1,200  recorded with 202

                Clean: no key took effect twice, and nothing that callers were told is untrue.
                """);
    }

    @Test
    void firstTwentyViolationsAreShownByEntry() {
        List<Witness.Finding> many = IntStream.range(0, 25)
                .mapToObj(i -> new Witness.Finding("k" + i, "took effect 2 times", List.of("202 recorded"))).toList();
        String table = text(many, null).table();
        assertThat(table).contains("ENTRY", "VIOLATION", "ITS CALLERS WERE TOLD", "and 5 more",
                "Violated: 25 findings, in 25 of 1,200 keys. To repeat it: --seed 7.");
        assertThat(table.lines().filter(line -> line.matches("[0-9a-f-]{36}  took effect 2 times +202 recorded")))
                .hasSize(20);
    }

    @Test
    void whatCouldNotBeAuditedIsNoSuccess() {
        assertThat(text(List.of(), "the ledger is away").table())
                .endsWith("Not audited to the end: the ledger is away. Nobody can say whether all is well.\n")
                .doesNotContain("ENDING");
        assertThat(text(List.of(), "the ledger is away").json())
                .contains("\"verdict\" : \"not-audited\"", "\"why\" : \"the ledger is away\"");
    }

    @Test
    void programsGetEverything() {
        assertThat(text(List.of(new Witness.Finding("k", "took effect 2 times", List.of("a", "b"))), null).json())
                .contains("\"verdict\" : \"violated\"", "\"seed\" : 7", "\"keys\" : 1200", "\"202 recorded\" : 1000",
                        "\"idempotency_key\" : \"k\"", "\"told\" : [ \"a\", \"b\" ]");
        assertThat(text(List.of(), null).json()).contains("\"verdict\" : \"clean\"", "\"violations\" : [ ]");
    }

    @Test
    void progressIsALineNowAndThen() {
        StringWriter out = new StringWriter();
        TortureProgress progress = new TortureProgress(new PrintWriter(out), false);
        for (int second = 1; second <= 25; second++) {
            progress.ticks(Duration.ofSeconds(second), second * 10, ANSWERS);
        }
        progress.says("Done.");
        assertThat(out.toString().lines()).containsExactly(
                "   10s      100 keys    152 calls/s   recorded 1,000, replayed 500, in doubt 7, refused and released 7,"
                        + " no answer 8",
                "   20s      200 keys     76 calls/s   recorded 1,000, replayed 500, in doubt 7, refused and released 7,"
                        + " no answer 8",
                "Done.");
    }

    @Test
    void progressIsOneLineOnATerminal() {
        StringWriter out = new StringWriter();
        TortureProgress progress = new TortureProgress(new PrintWriter(out), true);
        progress.ticks(Duration.ofSeconds(1), 10, ANSWERS);
        progress.ticks(Duration.ofSeconds(2), 20, ANSWERS);
        progress.says("Done.");
        assertThat(out.toString()).matches("\r\u001B\\[K +1s .*\r\u001B\\[K +2s .*\\RDone.\\R");
    }

    private static TortureText text(List<Witness.Finding> findings, @Nullable String unaudited) {
        Target target = new Target(
                List.of(), "mail", "/mail", URI.create("http://s"), "open", Target.Counting.DERIVED_KEY,
                Duration.ofSeconds(1), Duration.ofSeconds(3), true);
        return new TortureText(
                target, new Report(Duration.ofSeconds(60), 1200, ANSWERS, Map.of("recorded with 202", 1200L), 1100,
                        findings, unaudited),
                7);
    }
}

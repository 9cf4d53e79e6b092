package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.testing.Last;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Runs last: holds every answer that the other suites saw, in whichever process, against the public contract, both ways,
/// and looks for canaries in every log.
@EndToEnd
@Last
@Order(Integer.MAX_VALUE)
final class ConformanceIT {

    /// Fewer than these: not all suites ran, and what never occurred says nothing. In a whole run it says that what the
    /// suites saw has got lost.
    private static final int ANSWERS_OF_A_WHOLE_RUN = 1_800;
    private static final int LOGS_OF_A_WHOLE_RUN = 50;

    /// What the public contract declares and these suites cannot bring about, with the reason.
    private static final Map<String, String> NEVER_OCCURS = Map.of(
            "Redirection Idempotency-Settled-By", "no lookup of these suites is shaped into a redirection",
            "/problems/internal-error", "nothing is known that breaks the gateway from outside",
            "InternalError Cache-Control", "the same");

    private final List<Exchange> answers = Answers.seen();

    @Test
    void everythingThatASuiteOfAWholeRunSawIsHere() {
        List<Path> logs = Seen.files(Program.LOG);
        String found = answers.size() + " answers, " + logs.size() + " logs";
        assumeTrue(Seen.byManyProcesses(), () -> "SKIPPED: not in a whole run: " + found);
        assertThat(answers).as(found).hasSizeGreaterThanOrEqualTo(ANSWERS_OF_A_WHOLE_RUN);
        assertThat(logs).as(found).hasSizeGreaterThanOrEqualTo(LOGS_OF_A_WHOLE_RUN);
    }

    @Test
    void everyAnswerIsDeclared() {
        PublicContract contract = new PublicContract();
        Set<String> wrong = new TreeSet<>();
        answers.forEach(answer -> wrong.addAll(contract.check(answer)));
        assertThat(wrong).isEmpty();
    }

    @Test
    void everythingDeclaredOccurs() {
        assumeTrue(
                Seen.byManyProcesses() || answers.size() >= ANSWERS_OF_A_WHOLE_RUN,
                () -> "SKIPPED: only " + answers.size() + " answers were seen");
        PublicContract contract = new PublicContract();
        answers.forEach(contract::check);
        assertThat(contract.unseen()).containsExactlyInAnyOrderElementsOf(NEVER_OCCURS.keySet());
    }

    @Test
    void noAnswerShowsTheInsideOfTheProgram() {
        assertThat(answers).allSatisfy(answer -> {
            String body = answer.text();
            assertThat(body).doesNotContain("Exception", "\tat ", "dev.latchkey.", "org.postgresql", "Jetty");
            assertThat(answer.headers().has("Server")).isFalse();
        });
    }

    @Test
    void noLogHoldsAKeyABodyOrACredential() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path log : Seen.files(Program.LOG)) {
            try (Stream<String> lines = Files.lines(log)) {
                lines.filter(line -> line.contains(Canary.MARK)).forEach(line -> found.add(log + ": " + line));
            }
        }
        assertThat(found).isEmpty();
    }
}

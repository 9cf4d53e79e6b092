package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Runs last: holds every answer that the other suites saw against the public contract, both ways, and looks for canaries
/// in every log.
@EndToEnd
@Order(Integer.MAX_VALUE)
final class ConformanceIT {

    /// Fewer answers than this: not all suites ran, and what never occurred says nothing.
    private static final int ANSWERS_OF_A_WHOLE_RUN = 800;

    /// What the public contract declares and these suites cannot bring about, with the reason.
    private static final Map<String, String> NEVER_OCCURS = Map.of(
            "Redirection Idempotency-Settled-By", "no lookup of these suites is shaped into a redirection",
            "/problems/internal-error", "nothing is known that breaks the gateway from outside",
            "InternalError Cache-Control", "the same");

    @Test
    void everyAnswerIsDeclared() {
        PublicContract contract = new PublicContract();
        Set<String> wrong = new TreeSet<>();
        Answers.seen().forEach(answer -> wrong.addAll(contract.check(answer)));
        assertThat(wrong).isEmpty();
    }

    @Test
    void everythingDeclaredOccurs() {
        List<Exchange> answers = Answers.seen();
        assumeTrue(answers.size() >= ANSWERS_OF_A_WHOLE_RUN, () -> "only " + answers.size() + " answers were seen");
        PublicContract contract = new PublicContract();
        answers.forEach(contract::check);
        assertThat(contract.unseen()).containsExactlyInAnyOrderElementsOf(NEVER_OCCURS.keySet());
    }

    @Test
    void noAnswerShowsTheInsideOfTheProgram() {
        assertThat(Answers.seen()).allSatisfy(answer -> {
            String body = answer.text();
            assertThat(body).doesNotContain("Exception", "\tat ", "dev.latchkey.", "org.postgresql", "Jetty");
            assertThat(answer.headers().has("Server")).isFalse();
        });
    }

    @Test
    void noLogHoldsAKeyABodyOrACredential() {
        assertThat(Program.all()).isNotEmpty()
                .allSatisfy(program -> assertThat(program.output()).doesNotContain(Canary.MARK));
    }
}

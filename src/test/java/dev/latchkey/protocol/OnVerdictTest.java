package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnVerdictTest {

    private static final Duration DELAY = Duration.ofMinutes(5);
    private static final Verdict EXECUTED =
            new Verdict.Executed(201, Headers.empty(), Body.ofUtf8("found"), "it is there", "olga");

    private final Entry doubtful = Samples.doubtful(Samples.ask(Samples.holding(), "{}"));
    private final Instant earliest = doubtful.leaseUntil().plus(DELAY);

    private static Verdict.Ruling ruling(
            Entry entry, Verdict verdict, @Nullable Route route, Instant now, Instant here) {
        return Protocol.onVerdict(Samples.found(entry, now), verdict, 77, route, DELAY, here);
    }

    private Verdict.Ruling notExecuted(Instant asOf, @Nullable Route route, Instant now) {
        return ruling(doubtful, new Verdict.NotExecuted(asOf, "not there", "olga"), route, now, now);
    }

    private static Refusal refused(Verdict.Ruling ruling, Problem problem) {
        assertThat(ruling).isInstanceOf(Verdict.Ruling.Refuse.class);
        Refusal refusal = ((Verdict.Ruling.Refuse) ruling).refusal();
        assertThat(refusal.problem()).isEqualTo(problem);
        return refusal;
    }

    @Test
    void executedIsBelievedAtAnyTimeAndNamesWhoSaidIt() {
        Instant now = Samples.NOW.plusSeconds(2);
        assertThat(ruling(doubtful, EXECUTED, Samples.deduplicating(), now, now))
                .isEqualTo(new Verdict.Ruling.Settle(
                        doubtful.attempt(), new Transition.Executed(
                                77, 201, Headers.empty(), Body.ofUtf8("found"), "verdict", "it is there", "olga",
                                Retention.usual())));
    }

    @Test
    void onlyAnEntryInDoubtTakesAVerdict() {
        Ask ask = Samples.ask(Samples.holding(), "{}");
        for (Entry other : new Entry[] {Samples.claimed(ask, 1), Samples.recorded(ask, 201),
            Samples.after(Samples.claimed(ask, 1), 1, new Transition.Release(Cause.NOT_SENT))}) {
            Refusal refusal = refused(
                    ruling(other, EXECUTED, Samples.holding(), Samples.NOW, Samples.NOW), Problem.NOT_IN_DOUBT);
            assertThat(refusal.state()).isEqualTo(other.state());
        }
    }

    @Test
    void notExecutedNeedsALookAfterLeaseAndDelayAndSaysFromWhen() {
        Instant now = earliest.plusSeconds(60);
        Refusal refusal =
                refused(notExecuted(earliest.minusNanos(1_000), Samples.holding(), now), Problem.TOO_EARLY);
        assertThat(refusal.detail()).contains(earliest.toString());
        assertThat(notExecuted(earliest, Samples.holding(), now)).isInstanceOf(Verdict.Ruling.Settle.class);
    }

    @Test
    void notExecutedIsNotBelievedOfTheFuture() {
        Instant now = earliest.plusSeconds(60);
        refused(notExecuted(now.plusNanos(1_000), Samples.holding(), now), Problem.TOO_EARLY);
        assertThat(notExecuted(now, Samples.holding(), now)).isInstanceOf(Verdict.Ruling.Settle.class);
    }

    @Test
    void oneClockThatJumpedFreesNoKey() {
        Instant now = earliest.plusSeconds(60);
        Verdict verdict = new Verdict.NotExecuted(now, "not there", "olga");
        refused(ruling(doubtful, verdict, Samples.holding(), now, earliest.minusSeconds(1)), Problem.TOO_EARLY);
    }

    /// Found by the simulation: the verdict came when the delay was over by both clocks, and the look had been before.
    @Test
    void oneClockThatHadJumpedBeforeTheLookFreesNoKey() {
        Instant looked = earliest.plusSeconds(1);
        Verdict verdict = new Verdict.NotExecuted(looked, "not there", "olga");
        Instant now = looked.plus(Duration.ofMinutes(10));
        refused(ruling(doubtful, verdict, Samples.holding(), now, now.minus(Duration.ofMinutes(3))), Problem.TOO_EARLY);
        assertThat(ruling(doubtful, verdict, Samples.holding(), now, now.minusSeconds(5)))
                .isInstanceOf(Verdict.Ruling.Settle.class);
    }

    @Test
    void notExecutedWaitsForTheWindowToClose() {
        Route route = Samples.deduplicating();
        Instant closes = doubtful.firstForwardAt().plus(Duration.ofHours(24)).minus(route.timeout());
        Refusal refusal = refused(notExecuted(closes, route, closes), Problem.WINDOW_OPEN);
        assertThat(refusal.detail()).contains(closes.toString());
        Instant after = closes.plusNanos(1_000);
        assertThat(notExecuted(after, route, after)).isInstanceOf(Verdict.Ruling.Settle.class);
    }

    /// The ledger's statement repeats the conditions: what is ruled to hold must not lose there.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsRuledToHoldHoldsInTheTransitionToo(boolean routeIsKnown) {
        Route route = routeIsKnown ? Samples.holding() : null;
        Instant now = earliest.plusSeconds(1);
        Verdict.Ruling.Settle settle = (Verdict.Ruling.Settle) notExecuted(earliest, route, now);
        assertThat(settle.transition().applyTo(doubtful, settle.attempt(), now).orElseThrow().state())
                .isEqualTo(State.RELEASED);
        Verdict.Ruling.Settle executed = (Verdict.Ruling.Settle) ruling(doubtful, EXECUTED, route, now, now);
        assertThat(executed.transition().applyTo(doubtful, executed.attempt(), now).orElseThrow())
                .satisfies(entry -> {
                    assertThat(entry.state()).isEqualTo(State.RECORDED);
                    assertThat(entry.attempt()).isEqualTo(77);
                    assertThat(entry.settledBy()).isEqualTo("verdict");
                });
    }
}

package dev.latchkey.protocol;

import static dev.latchkey.protocol.Outcomes.answered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where an outcome takes an entry (contract §5).
class OnOutcomeTest {

    private final Ask ask = Samples.ask(Samples.deduplicating(), "{}");
    private final Entry first = Samples.claimed(ask, 1);
    private final Entry again = new Claim(ask, 2, new Grounds.Reforward(1))
            .applyTo(Samples.doubtful(ask), Samples.NOW.plusSeconds(3))
            .orElseThrow();

    @ParameterizedTest
    @CsvSource({
        "200,RECORDED", "204,RECORDED", "301,RECORDED", "304,RECORDED", "307,RECORDED", "400,RECORDED", "403,RECORDED",
        "404,RECORDED", "409,RECORDED", "422,RECORDED", "401,RELEASED", "407,RELEASED", "425,RELEASED", "429,RELEASED",
        "408,IN_DOUBT", "500,IN_DOUBT", "502,IN_DOUBT", "503,IN_DOUBT", "599,IN_DOUBT"
    })
    void firstForwardsStatusDecides(int status, State expected) {
        assertThat(stateAfter(first, answered(status))).isEqualTo(expected);
    }

    @Test
    void requestTimeoutBeforeTheLastByteReleases() {
        Outcome early = new Outcome.Answered(408, Headers.empty(), Body.empty(), false);
        assertThat(stateAfter(first, early)).isEqualTo(State.RELEASED);
    }

    @Test
    void firstForwardNotSentIsReleased() {
        assertThat(stateAfter(first, new Outcome.NotSent("refused"))).isEqualTo(State.RELEASED);
    }

    @Test
    void unknownOutcomeIsDoubt() {
        assertThat(stateAfter(first, new Outcome.Unknown(Cause.CONNECTION_LOST))).isEqualTo(State.IN_DOUBT);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204, 302, 307})
    void successSettlesAReforward(int status) {
        assertThat(stateAfter(again, answered(status))).isEqualTo(State.RECORDED);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 408, 409, 422, 425, 429, 500, 503})
    void nothingElseSettlesAReforward(int status) {
        Entry after = Samples.after(again, 2, transition(again, answered(status)));
        assertThat(after.state()).isEqualTo(State.IN_DOUBT);
        assertThat(after.inDoubtSince()).isEqualTo(Samples.NOW.plusSeconds(1));
    }

    @Test
    void reforwardNotSentStaysInDoubt() {
        assertThat(stateAfter(again, new Outcome.NotSent("refused"))).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void listedStatusSettlesAReforwardWithoutOpeningACorrection() {
        Route route = Samples.route(
                ask.route().deduplicates(), false, Samples.SENT_AS, new Statuses(Set.of(), Set.of(409), Set.of()));
        Entry after = Samples.after(again, 2, Protocol.onOutcome(again, route, answered(409), Set.of()));
        assertThat(after.state()).isEqualTo(State.RECORDED);
        assertThat(after.rejection()).isFalse();
    }

    @Test
    void lateRejectionOfADoubtedAttemptOpensNoCorrection() {
        Entry swept = Samples.after(first, 1, Transition.Doubt.of(Cause.LEASE_OVER));
        Entry after = Samples.after(swept, 1, transition(first, answered(422)));
        assertThat(after.state()).isEqualTo(State.RECORDED);
        assertThat(after.rejection()).isFalse();
    }

    @Test
    void routesMoveStatuses() {
        Statuses moved = new Statuses(Set.of(503), Set.of(500), Set.of(404));
        assertThat(moved.stateAfter(503, true)).isEqualTo(State.RELEASED);
        assertThat(moved.stateAfter(500, true)).isEqualTo(State.RECORDED);
        assertThat(moved.stateAfter(404, true)).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void onlyWhatIsReplayedIsKept() {
        Headers came = Headers.of(
                "Content-Type", "text/plain", "Set-Cookie", "a=b", "Link", "<a>", "Link", "<b>", "X-Trace", "1",
                "X-Mine", "2",
                "Connection", "etag", "ETag", "\"x\"", "Retry-After", "0");
        Outcome outcome = new Outcome.Answered(200, came, Body.empty(), true);
        Transition.Record record =
                (Transition.Record) Protocol.onOutcome(first, ask.route(), outcome, Set.of("x-mine"));
        assertThat(record.headers().lines())
                .containsExactly(
                        new Header("Content-Type", "text/plain"), new Header("Link", "<a>"), new Header("Link", "<b>"),
                        new Header("X-Mine", "2"));
    }

    @Test
    void staleAttemptChangesNothing() {
        Entry recorded = Samples.recorded(ask, 201);
        assertThat(Transition.Doubt.of(Cause.TIMEOUT).applyTo(recorded, 1, Samples.NOW)).isEmpty();
        assertThat(new Transition.Release(Cause.NOT_SENT).applyTo(recorded, 1, Samples.NOW)).isEmpty();
        assertThat(Samples.recording(200).applyTo(first, 99, Samples.NOW)).isEmpty();
    }

    @Test
    void reforwardIsNeverReleased() {
        assertThat(new Transition.Release(Cause.NOT_SENT).applyTo(again, 2, Samples.NOW)).isEmpty();
    }

    @Test
    void genuineSuccessTakesBackAFreedKey() {
        Entry freed = Samples.after(first, 1, new Transition.Release(new Cause("verdict")));
        assertThat(Samples.recording(201).applyTo(freed, 1, Samples.NOW)).isPresent();
        assertThat(Samples.recording(422).applyTo(freed, 1, Samples.NOW)).isEmpty();
    }

    @Test
    void correctionNumberGrowsOnlyByRejections() {
        Ask changed = Samples.ask(Samples.deduplicating(), "{\"a\":1}");
        Entry rejected = Samples.recorded(ask, 422);
        Entry corrected =
                new Claim(changed, 5, new Grounds.NewGeneration(1)).applyTo(rejected, Samples.NOW).orElseThrow();
        assertThat(corrected.correction()).isEqualTo(1);
        Entry released = Samples.after(corrected, 5, new Transition.Release(Cause.NOT_SENT));
        Entry third = new Claim(changed, 6, new Grounds.NewGeneration(5)).applyTo(released, Samples.NOW).orElseThrow();
        assertThat(third.correction()).isEqualTo(1);
    }

    @Test
    void evidenceOfNothingIsBelievedOnlyOnceAllHasArrived() {
        Entry doubtful = Samples.doubtful(Samples.ask(Samples.holding(), "{}"));
        Duration delay = Duration.ofMinutes(5);
        Instant from = doubtful.leaseUntil().plus(delay);
        assertThat(notExecuted(from.minusMillis(1)).applyTo(doubtful, 1, from.plusSeconds(9))).isEmpty();
        assertThat(notExecuted(from).applyTo(doubtful, 1, from.plusSeconds(9))).isPresent();
        assertThat(notExecuted(from.plusSeconds(10)).applyTo(doubtful, 1, from.plusSeconds(9))).isEmpty();
    }

    private static Transition notExecuted(Instant asOf) {
        return new Transition.NotExecuted(
                asOf, Duration.ofMinutes(5), null, Duration.ofSeconds(30), "verdict", "looked");
    }

    private State stateAfter(Entry entry, Outcome outcome) {
        return Samples.after(entry, entry.attempt(), transition(entry, outcome)).state();
    }

    private Transition transition(Entry entry, Outcome outcome) {
        return Protocol.onOutcome(entry, ask.route(), outcome, Set.of());
    }
}

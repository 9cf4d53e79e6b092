package dev.latchkey.protocol;

import static dev.latchkey.protocol.Samples.ask;
import static dev.latchkey.protocol.Samples.claimed;
import static dev.latchkey.protocol.Samples.deduplicating;
import static dev.latchkey.protocol.Samples.doubtful;
import static dev.latchkey.protocol.Samples.found;
import static dev.latchkey.protocol.Samples.holding;
import static dev.latchkey.protocol.Samples.recorded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Problem;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a call meets, by the entry that it finds (contract §6).
class OnCallTest {

    private final Ask payment = ask(holding(), "{\"amount\":1}");
    private final Ask changed = ask(holding(), "{\"amount\":2}");

    @Test
    void keyWithoutEntryIsClaimed() {
        assertThat(decide(null, payment)).isEqualTo(new Decision.Forward(new Grounds.NoEntry()));
    }

    @Test
    void recordedIsReplayed() {
        assertThat(decide(found(recorded(payment, 201)), payment)).isInstanceOf(Decision.Replay.class);
    }

    @Test
    void recordedWithoutBodyIsGoneWithItsStatus() {
        Found found = new Found(recorded(payment, 201), null, Samples.NOW);
        Refusal refusal = refusal(decide(found, payment));
        assertThat(refusal.problem()).isEqualTo(Problem.RESPONSE_GONE);
        assertThat(refusal.recordedStatus()).isEqualTo(201);
        assertThat(refusal.newKeySafe()).isFalse();
    }

    @Test
    void purgedResponseIsGoneAndNeverForwardedAgain() {
        Found late = found(recorded(payment, 201), Samples.NOW.plus(Duration.ofDays(91)));
        assertThat(refusal(decide(late, payment)).problem()).isEqualTo(Problem.RESPONSE_GONE);
    }

    @Test
    void goneRejectionLetsANewKeyBe() {
        Found found = new Found(recorded(payment, 422), null, Samples.NOW);
        assertThat(refusal(decide(found, payment)).newKeySafe()).isTrue();
    }

    @Test
    void claimedIsWaitedFor() {
        assertThat(decide(found(claimed(payment, 7)), payment)).isEqualTo(new Decision.Wait(7));
    }

    @Test
    void claimPastItsLeaseIsSweptFirst() {
        Found late = found(claimed(payment, 7), Samples.NOW.plusSeconds(41));
        assertThat(decide(late, payment)).isEqualTo(new Decision.Sweep(7));
    }

    @Test
    void mismatchComesBeforeInProgress() {
        Refusal refusal = refusal(decide(found(claimed(payment, 7)), changed));
        assertThat(refusal.problem()).isEqualTo(Problem.KEY_REUSED);
        assertThat(refusal.differs()).containsExactly("body");
        assertThat(refusal.retrySameKey()).isTrue();
        assertThat(refusal.forwarded()).isEqualTo(Refusal.Forwarded.MAYBE);
        assertThat(refusal.firstSeen()).isEqualTo(Samples.NOW);
    }

    @Test
    void mismatchWithARecordedEntrySaysThatItWasForwarded() {
        Refusal refusal = refusal(decide(found(recorded(payment, 201)), changed));
        assertThat(refusal.problem()).isEqualTo(Problem.KEY_REUSED);
        assertThat(refusal.forwarded()).isEqualTo(Refusal.Forwarded.YES);
        assertThat(refusal.retrySameKey()).isFalse();
        assertThat(refusal.retryAfter()).isNull();
    }

    @Test
    void mismatchNamesMethodAndTargetApartFromTheBody() {
        Ask other = ask(holding(), "PUT", "/payments?x=1", "{\"amount\":1}");
        assertThat(refusal(decide(found(claimed(payment, 7)), other)).differs()).containsExactly("method", "target");
    }

    @Test
    void changedRequestAfterARejectionRunsAsNew() {
        assertThat(decide(found(recorded(payment, 422)), changed))
                .isEqualTo(new Decision.Forward(new Grounds.NewGeneration(1)));
    }

    @Test
    void correctionUnderAnotherMethodIsAMismatch() {
        Ask other = ask(holding(), "PUT", "/payments", "{\"amount\":2}");
        assertThat(refusal(decide(found(recorded(payment, 422)), other)).problem()).isEqualTo(Problem.KEY_REUSED);
    }

    @Test
    void routeMayRefuseCorrections() {
        Route strict = new Route(
                "payments", Duration.ofSeconds(30), Duration.ofSeconds(10), null, false, false, false, Samples.SENT_AS,
                Statuses.usual(), Retention.usual());
        assertThat(refusal(decide(found(recorded(payment, 422)), ask(strict, "{\"amount\":2}"))).problem())
                .isEqualTo(Problem.KEY_REUSED);
    }

    @Test
    void rejectionPastItsHourIsFree() {
        Found late = found(recorded(payment, 422), Samples.NOW.plus(Duration.ofMinutes(61)));
        assertThat(decide(late, payment)).isEqualTo(new Decision.Forward(new Grounds.NewGeneration(1)));
    }

    @Test
    void releasedIsFreeForAnyRequest() {
        Entry released = Samples.after(claimed(payment, 1), 1, new Transition.Release(Cause.NOT_SENT));
        assertThat(decide(found(released), changed)).isEqualTo(new Decision.Forward(new Grounds.NewGeneration(1)));
    }

    @Test
    void doubtIsHeldWhereNobodyDeduplicates() {
        Refusal refusal = refusal(decide(found(doubtful(payment)), payment));
        assertThat(refusal.problem()).isEqualTo(Problem.OUTCOME_UNKNOWN);
        assertThat(refusal.status()).isEqualTo(409);
        assertThat(refusal.retrySameKey()).isFalse();
        assertThat(refusal.retryAfter()).isNull();
        assertThat(refusal.cause()).isEqualTo(Cause.TIMEOUT);
    }

    @Test
    void doubtIsForwardedAgainWhileTheWindowIsOpen() {
        Ask again = ask(deduplicating(), "{\"amount\":1}");
        assertThat(decide(found(doubtful(again)), again)).isEqualTo(new Decision.Forward(new Grounds.Reforward(1)));
    }

    @Test
    void windowCountsTheTimeThatTheForwardMayTake() {
        Ask again = ask(deduplicating(), "{\"amount\":1}");
        Found atTheEnd = found(doubtful(again), Samples.NOW.plus(Duration.ofHours(24)).minusSeconds(30));
        Found tooLate = found(doubtful(again), Samples.NOW.plus(Duration.ofHours(24)).minusSeconds(29));
        assertThat(decide(atTheEnd, again)).isInstanceOf(Decision.Forward.class);
        assertThat(refusal(decide(tooLate, again)).retrySameKey()).isFalse();
    }

    @Test
    void doubtIsForwardedAgainWhereTheRouteResends() {
        Ask again = ask(Samples.route(null, true, Samples.SENT_AS, Statuses.usual()), "{\"amount\":1}");
        assertThat(decide(found(doubtful(again)), again)).isInstanceOf(Decision.Forward.class);
    }

    @Test
    void doubtIsHeldWhereTheKeyWouldBeSentOtherwise() {
        Ask before = ask(deduplicating(), "{\"amount\":1}");
        SentAs other = SentAs.of("http://elsewhere", "derived", "Idempotency-Key", "bare");
        Ask now = ask(Samples.route(Duration.ofHours(24), false, other, Statuses.usual()), "{\"amount\":1}");
        Refusal refusal = refusal(decide(found(doubtful(before)), now));
        assertThat(refusal.cause()).isEqualTo(Cause.SETTINGS_CHANGED);
        assertThat(refusal.retrySameKey()).isFalse();
    }

    @Test
    void callThatWaitedForwardsNoMore() {
        Ask again = ask(deduplicating(), "{\"amount\":1}");
        Refusal refusal = refusal(Protocol.onCall(found(doubtful(again)), again, true));
        assertThat(refusal.problem()).isEqualTo(Problem.OUTCOME_UNKNOWN);
        assertThat(refusal.retrySameKey()).isTrue();
        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void movedStatusIsNeverARejection() {
        Statuses moved = new Statuses(Set.of(), Set.of(404), Set.of());
        Route route = Samples.route(null, false, Samples.SENT_AS, moved);
        Ask first = ask(route, "{\"amount\":1}");
        Entry entry = claimed(first, 1);
        Transition transition = Protocol.onOutcome(entry, route, Outcomes.answered(404), Set.of());
        Found recorded = found(Samples.after(entry, 1, transition));
        assertThat(refusal(decide(recorded, ask(route, "{\"amount\":2}"))).problem()).isEqualTo(Problem.KEY_REUSED);
        Found later = found(recorded.entry(), Samples.NOW.plus(Duration.ofHours(2)));
        assertThat(decide(later, first)).isInstanceOf(Decision.Replay.class);
    }

    private static Decision decide(@Nullable Found found, Ask ask) {
        return Protocol.onCall(found, ask, false);
    }

    private static Refusal refusal(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Refuse.class);
        return ((Decision.Refuse) decision).refusal();
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What a caller is told who comes again (contract §6).
class RepeatTest {

    private final Replicas world = new Replicas(2);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica replica = world.replica(downstream, Replicas.route());
    private final Replicas.Replica open = world.replica(downstream, Replicas.deduplicating());

    @Test
    void changedRequestIsAMismatchEvenWhileTheFirstIsUnderWay() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = replica.call("k", "{}");
        world.stage.settle();
        Refusal early = Replicas.refusal(replica.answer("k", "{\"changed\":1}"));
        assertThat(early.problem()).isEqualTo(Problem.KEY_REUSED);
        assertThat(early.differs()).containsExactly("body");
        assertThat(early.state()).isEqualTo(State.CLAIMED);
        assertThat(early.retrySameKey()).isTrue();
        assertThat(early.retryAfter()).isNotNull();
        assertThat(early.forwarded()).isEqualTo(Refusal.Forwarded.MAYBE);
        gate.complete(Scripted.response(201, "done"));
        world.stage.settle();
        assertThat(first).isDone();
        Refusal late = Replicas.refusal(replica.answer("k", "{\"changed\":1}"));
        assertThat(late.state()).isEqualTo(State.RECORDED);
        assertThat(late.forwarded()).isEqualTo(Refusal.Forwarded.YES);
        assertThat(late.retrySameKey()).isFalse();
        assertThat(late.retryAfter()).isNull();
        assertThat(downstream.sent()).hasSize(1);
    }

    @Test
    void rejectionIsReplayedAndThenCorrected() {
        downstream.thenAnswer(422);
        assertThat(Replicas.text(replica.answer("k", "{\"amount\":-1}"))).isEqualTo("422 RECORDED");
        assertThat(Replicas.text(replica.answer("k", "{\"amount\":-1}"))).isEqualTo("422 RECORDED replayed");
        assertThat(Replicas.text(replica.answer("k", "{\"amount\":1}"))).isEqualTo("201 RECORDED");
        assertThat(Replicas.is(replica.answer("k", "{\"amount\":-1}"), Problem.KEY_REUSED)).isTrue();
        assertThat(keySent(0)).isNotEqualTo(keySent(1));
    }

    @Test
    void keyIsTheSameAfterARelease() {
        downstream.thenAnswer(429);
        replica.answer("k", "{}");
        replica.answer("k", "{}");
        assertThat(keySent(0)).isEqualTo(keySent(1));
    }

    private String keySent(int forward) {
        return downstream.sent().get(forward).headers().first("Idempotency-Key").orElseThrow();
    }

    /// G2, G3: only success settles a re-forward.
    @Test
    void reforwardIsSettledByNothingButSuccess() {
        downstream.thenAnswer(500).thenRefuse().thenAnswer(429).thenAnswer(409).thenAnswer(201);
        assertThat(Replicas.text(open.answer("k", "{}"))).isEqualTo("500 IN_DOUBT");
        Refusal notSent = Replicas.refusal(open.answer("k", "{}"));
        assertThat(notSent.problem()).isEqualTo(Problem.OUTCOME_UNKNOWN);
        assertThat(notSent.status()).isEqualTo(502);
        assertThat(notSent.state()).isEqualTo(State.IN_DOUBT);
        assertThat(notSent.retrySameKey()).isTrue();
        assertThat(Replicas.text(open.answer("k", "{}"))).isEqualTo("429 IN_DOUBT");
        assertThat(Replicas.text(open.answer("k", "{}"))).isEqualTo("409 IN_DOUBT");
        assertThat(Replicas.text(open.answer("k", "{}"))).isEqualTo("201 RECORDED");
        assertThat(Replicas.text(open.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
        assertThat(downstream.sent()).hasSize(4);
        assertThat(keySent(0)).isEqualTo(keySent(3));
    }

    /// G13: not once it could arrive after the downstream has forgotten.
    @Test
    void windowClosesAndTheDoubtIsHeld() {
        downstream.thenAnswer(500);
        open.answer("k", "{}");
        world.stage.advance(Duration.ofHours(24).minus(Replicas.TIMEOUT).plusSeconds(1));
        Refusal held = Replicas.refusal(open.answer("k", "{}"));
        assertThat(held.status()).isEqualTo(409);
        assertThat(held.retrySameKey()).isFalse();
        assertThat(downstream.sent()).hasSize(1);
    }

    @Test
    void routeThatResendsForwardsAgain() {
        Replicas.Replica again =
                world.replica(downstream, Replicas.route("payments", null, true, Statuses.usual()));
        downstream.thenAnswer(500);
        again.answer("k", "{}");
        assertThat(Replicas.text(again.answer("k", "{}"))).isEqualTo("201 RECORDED");
    }

    @Test
    void expiredRejectionIsNewUnderAnotherDownstreamKey() {
        downstream.thenAnswer(422);
        replica.answer("k", "{}");
        world.stage.advance(Duration.ofMinutes(61));
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
        assertThat(keySent(0)).isNotEqualTo(keySent(1));
    }

    @Test
    void responsePastItsRetentionIsGoneAndNothingIsSentAgain() {
        replica.answer("k", "{}");
        world.stage.advance(Duration.ofDays(90));
        world.memory.purge(10, Duration.ofDays(1));
        Refusal gone = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(gone.problem()).isEqualTo(Problem.RESPONSE_GONE);
        assertThat(gone.recordedStatus()).isEqualTo(201);
        assertThat(gone.newKeySafe()).isFalse();
        assertThat(downstream.sent()).hasSize(1);
    }

    @Test
    void expiredClaimIsSweptByTheCallThatFindsIt() {
        world.memory.claim(claimOf("k", 7));
        world.stage.advance(Replicas.LEASE.plusMillis(1));
        Refusal refusal = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(refusal.problem()).isEqualTo(Problem.OUTCOME_UNKNOWN);
        assertThat(refusal.state()).isEqualTo(State.IN_DOUBT);
        assertThat(downstream.sent()).isEmpty();
    }

    private dev.latchkey.protocol.Claim claimOf(String key, long attempt) {
        return AsksOf.claim(replica, key, "{}", attempt);
    }

    @Test
    void withTheLedgerAwayNothingIsForwarded() {
        world.ledger.away();
        Refusal away = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(away.problem()).isEqualTo(Problem.LEDGER_UNAVAILABLE);
        assertThat(away.retrySameKey()).isTrue();
        assertThat(away.newKeySafe()).isFalse();
        assertThat(downstream.sent()).isEmpty();
        CallsOf.assertIdle(world, replica);
    }

    @Test
    void whatIsInMemoryIsReplayedWhileTheLedgerIsAway() {
        replica.answer("k", "{}");
        world.ledger.away();
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
        world.stage.advance(Duration.ofMinutes(10));
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
        assertThat(Replicas.is(replica.answer("k", "{\"changed\":1}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
    }

    @Test
    void memoryIsBelievedForAMinuteAndThenTheLedgerIsAsked() {
        replica.answer("k", "{}");
        int before = world.ledger.asked();
        world.stage.advance(Duration.ofSeconds(59));
        replica.answer("k", "{}");
        assertThat(world.ledger.asked()).isEqualTo(before);
        world.stage.advance(Duration.ofSeconds(2));
        replica.answer("k", "{}");
        assertThat(world.ledger.asked()).isEqualTo(before + 1);
        replica.answer("k", "{}");
        assertThat(world.ledger.asked()).isEqualTo(before + 1);
    }

    @Test
    void whatTheLedgerTookBackIsNotReplayedWhenItIsAwayLater() {
        replica.answer("k", "{}");
        world.stage.advance(Duration.ofSeconds(61));
        world.memory.age(Replicas.id("k"), Duration.ofDays(91));
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.RESPONSE_GONE)).isTrue();
        world.ledger.away();
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
    }

    /// G10: another replica may have corrected it.
    @Test
    void rejectionsAreNotKeptInMemory() {
        downstream.thenAnswer(422);
        replica.answer("k", "{}");
        world.ledger.away();
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
    }

    @Test
    void withNoPlaceWhatCanBeToldIsTold() {
        Replicas.Replica narrow = world.replica(new Replicas.Size(1, 10), downstream, Replicas.route());
        replica.answer("recorded", "{}");
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = narrow.call("slow", "{}");
        world.stage.settle();
        assertThat(Replicas.text(narrow.answer("recorded", "{}"))).isEqualTo("201 RECORDED replayed");
        assertThat(Replicas.is(narrow.answer("recorded", "{\"changed\":1}"), Problem.KEY_REUSED)).isTrue();
        Refusal full = Replicas.refusal(narrow.answer("new", "{}"));
        assertThat(full.problem()).isEqualTo(Problem.OVERLOADED);
        assertThat(full.retrySameKey()).isTrue();
        assertThat(world.memory.find(Replicas.id("new"))).isNull();
        gate.complete(Scripted.response(201, "done"));
        world.stage.settle();
        assertThat(first).isDone();
        CallsOf.assertIdle(world, narrow);
    }

    /// G5, G16: a verdict came first; the attempt answers with what the ledger now holds.
    @Test
    void attemptThatLostToAVerdictAnswersWithIt() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.settle();
        long attempt = world.attemptOf("k");
        world.memory.settle(Replicas.id("k"), attempt, Transition.Doubt.of(dev.latchkey.protocol.Cause.LEASE_OVER));
        world.memory.settle(Replicas.id("k"), attempt, new LedgerCases().executed(99));
        gate.complete(Scripted.response(500, "what?"));
        Answer.Delivered told = Replicas.delivered(world.stage.await(call, "the call", Duration.ofMinutes(1)));
        assertThat(told.response().status()).isEqualTo(201);
        assertThat(told.settledBy()).isEqualTo("verdict");
        assertThat(told.replayed()).isTrue();
    }

    /// An attempt that sent nothing and whose key another has claimed since is told that one is under way.
    @Test
    void attemptThatLostToOneUnderWaySaysSo() {
        downstream.thenRefuse();
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                if (operation.equals("settle")) {
                    world.ledger.back();
                    long attempt = world.attemptOf("k");
                    world.memory.settle(
                            Replicas.id("k"), attempt,
                            new Transition.Release(new dev.latchkey.protocol.Cause("verdict")));
                    world.memory.claim(AsksOf.claimAfter(replica, "k", "{}", 8, attempt));
                }
            }
        });
        Refusal told = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(told.problem()).isEqualTo(Problem.OUTCOME_UNKNOWN);
        assertThat(told.status()).isEqualTo(502);
        assertThat(told.state()).isEqualTo(State.CLAIMED);
        assertThat(told.retrySameKey()).isTrue();
        assertThat(told.retryAfter()).isNotNull();
        assertThat(told.newKeySafe()).isFalse();
    }

    /// G18: the row was purged while the response was on its way.
    @Test
    void lateResponseComesBackIfItsRowIsGone() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.settle();
        long attempt = world.attemptOf("k");
        world.memory.settle(Replicas.id("k"), attempt,
                new Transition.Release(new dev.latchkey.protocol.Cause("verdict")));
        world.memory.age(Replicas.id("k"), Duration.ofDays(30));
        assertThat(world.memory.purge(10, Duration.ofDays(1)).rows()).isEqualTo(1);
        gate.complete(Scripted.response(201, "done"));
        Answer told = world.stage.await(call, "the call", Duration.ofMinutes(1));
        assertThat(Replicas.text(told)).isEqualTo("201 RECORDED");
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
    }

    /// G18: another attempt has claimed the freed key: the late response is kept in its history, and changes nothing.
    @Test
    void lateResponseOfAFencedAttemptIsNoted() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.settle();
        long attempt = world.attemptOf("k");
        world.memory.settle(Replicas.id("k"), attempt,
                new Transition.Release(new dev.latchkey.protocol.Cause("verdict")));
        world.memory.claim(AsksOf.claimAfter(replica, "k", "{}", 8, attempt));
        gate.complete(Scripted.response(201, "done"));
        Answer.Delivered told = Replicas.delivered(world.stage.await(call, "the call", Duration.ofMinutes(1)));
        assertThat(told.response().body().utf8()).isEqualTo("done");
        assertThat(told.state()).isNotEqualTo(State.RECORDED);
        assertThat(world.stateOf("k")).isEqualTo(State.CLAIMED);
        assertThat(world.memory.history(Replicas.id("k"))).extracting(Ledger.Event::kind).contains("late-response");
    }

    @Test
    void otherRouteMethodOrTargetIsAMismatch() {
        replica.answer("k", "{}");
        CompletableFuture<Answer> put = replica.call("k", "PUT", "{}", null, Headers.empty());
        Refusal refusal = Replicas.refusal(world.stage.await(put, "the call", Duration.ofMinutes(1)));
        assertThat(refusal.problem()).isEqualTo(Problem.KEY_REUSED);
        assertThat(refusal.differs()).isEqualTo(List.of("method"));
        assertThat(refusal.retrySameKey()).isFalse();
        assertThat(refusal.newKeySafe()).isFalse();
    }

    private void loses(int claims) {
        AtomicInteger left = new AtomicInteger(claims);
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public boolean loses() {
                return left.getAndDecrement() > 0;
            }
        });
    }

    /// Purged between the claim and the look of the one that lost.
    @Test
    void claimLostToAnEntryThatIsGoneIsMadeAgain() {
        loses(2);
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
        assertThat(world.ledger.operations().stream().filter("claim"::equals)).hasSize(3);
        assertThat(downstream.sent()).hasSize(1);
    }

    @Test
    void claimsLostToEntriesThatAreGoneHaveAnEnd() {
        loses(Integer.MAX_VALUE);
        Refusal refusal = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(refusal.problem()).isEqualTo(Problem.LEDGER_UNAVAILABLE);
        assertThat(downstream.sent()).isEmpty();
        world.ledger.back();
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
    }
}

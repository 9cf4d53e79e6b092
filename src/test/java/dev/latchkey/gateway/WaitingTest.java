package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/// Calls that find their key claimed (contract §8). Each repetition is another order of the threads.
class WaitingTest {

    private Replicas world = new Replicas(3);
    private Scripted downstream = new Scripted(world.stage);
    private Replicas.Replica here = world.replica(downstream, Replicas.route());
    private Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
    private final CompletableFuture<Outcome> gate = new CompletableFuture<>();

    @BeforeEach
    void seed(RepetitionInfo repetition) {
        world = new Replicas(repetition.getCurrentRepetition());
        downstream = new Scripted(world.stage);
        here = world.replica(downstream, Replicas.route());
        elsewhere = world.replica(downstream, Replicas.route());
    }

    @RepeatedTest(8)
    void everybodyGetsTheOneResponse() {
        List<CompletableFuture<Answer>> calls = calls(50);
        world.stage.settle();
        world.stage.advance(Duration.ofSeconds(5));
        assertThat(downstream.sent()).hasSize(1);
        List<String> told = told(calls);
        assertThat(told).filteredOn("201 RECORDED"::equals).hasSize(1);
        assertThat(told).filteredOn("201 RECORDED replayed"::equals).hasSize(49);
        nothingIsLeft();
    }

    @RepeatedTest(8)
    void doubtIsToldToAllAndNobodyForwards() {
        Replicas.Replica open = world.replica(downstream, Replicas.deduplicating());
        Replicas.Replica openElsewhere = world.replica(downstream, Replicas.deduplicating());
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = open.call("k", "{}");
        world.stage.settle();
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(open.call("k", "{}"));
            waiting.add(openElsewhere.call("k", "{}"));
        }
        world.stage.advance(Duration.ofSeconds(1));
        gate.complete(new Outcome.Unknown(Cause.CONNECTION_LOST));
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(Replicas.refusal(Stage.now(first)).status()).isEqualTo(502);
        assertThat(told(waiting)).containsOnly("409 outcome-unknown");
        assertThat(downstream.sent()).hasSize(1);
        CallsOf.assertIdle(world, open);
        CallsOf.assertIdle(world, openElsewhere);
    }

    @RepeatedTest(8)
    void releaseIsToldHereAndOneElsewhereClaimsAnew() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{}");
        world.stage.settle();
        List<CompletableFuture<Answer>> nearby = List.of(here.call("k", "{}"), here.call("k", "{}"));
        List<CompletableFuture<Answer>> far = List.of(elsewhere.call("k", "{}"), elsewhere.call("k", "{}"));
        world.stage.advance(Duration.ofSeconds(1));
        gate.complete(Scripted.response(429, "later"));
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(told(List.of(first))).containsExactly("429 RELEASED");
        assertThat(told(nearby)).containsOnly("429 RELEASED replayed");
        assertThat(told(far)).containsExactlyInAnyOrder("201 RECORDED", "201 RECORDED replayed");
        assertThat(downstream.sent()).hasSize(2);
        nothingIsLeft();
    }

    /// G11: one future for an attempt, not for an entry.
    @RepeatedTest(8)
    void waiterWithAnotherBodyNeverGetsTheResponse() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{\"body\":\"A\"}");
        CompletableFuture<Answer> other = here.call("k", "{\"body\":\"B\"}");
        CompletableFuture<Answer> far = elsewhere.call("k", "{\"body\":\"B\"}");
        world.stage.settle();
        boolean firstWon = downstream.sent().getFirst().body().utf8().contains("A");
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(2));
        if (firstWon) {
            assertThat(told(List.of(first))).containsExactly("201 RECORDED");
            assertThat(told(List.of(other, far))).containsOnly("422 key-reused");
        } else {
            assertThat(told(List.of(first))).containsExactly("422 key-reused");
            assertThat(told(List.of(other, far))).containsExactlyInAnyOrder("201 RECORDED", "201 RECORDED replayed");
        }
        assertThat(downstream.sent()).hasSize(1);
        nothingIsLeft();
    }

    /// G11: nor what the other's caller was told when its key was released.
    @RepeatedTest(5)
    void callWithAnotherBodyIsNotToldOfTheRelease() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{\"body\":\"A\"}");
        world.stage.settle();
        CompletableFuture<Answer> other = here.call("k", "{\"body\":\"B\"}");
        world.stage.settle();
        gate.complete(Scripted.response(429, "later"));
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(told(List.of(first))).containsExactly("429 RELEASED");
        assertThat(told(List.of(other))).containsExactly("422 key-reused");
        nothingIsLeft();
    }

    @RepeatedTest(5)
    void waitOfNothingIsAnsweredAtOnce() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{}");
        world.stage.settle();
        CompletableFuture<Answer> near = here.call("k", "{}", Duration.ZERO);
        CompletableFuture<Answer> far = elsewhere.call("k", "{}", Duration.ZERO);
        world.stage.settle();
        for (CompletableFuture<Answer> call : List.of(near, far)) {
            Refusal refusal = Replicas.refusal(Stage.now(call));
            assertThat(refusal.problem()).isEqualTo(Problem.IN_PROGRESS);
            assertThat(refusal.state()).isEqualTo(State.CLAIMED);
            assertThat(refusal.retrySameKey()).isTrue();
            assertThat(refusal.retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
            assertThat(refusal.entry()).isEqualTo(Replicas.id("k"));
        }
        gate.complete(Scripted.response(201, "done"));
        world.stage.settle();
        assertThat(first).isDone();
        nothingIsLeft();
    }

    @RepeatedTest(1)
    void whoDoesNotWaitNeedsNoPlaceToWait() {
        Replicas.Replica full = world.replica(new Replicas.Size(10, 0), downstream, Replicas.route());
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = full.call("k", "{}");
        world.stage.settle();
        CompletableFuture<Answer> none = full.call("k", "{}", Duration.ZERO);
        CompletableFuture<Answer> some = full.call("k", "{}");
        world.stage.settle();
        assertThat(told(List.of(none))).containsExactly("409 in-progress");
        assertThat(told(List.of(some))).containsExactly("503 overloaded");
        gate.complete(Scripted.response(201, "done"));
        world.stage.settle();
        assertThat(told(List.of(first))).containsExactly("201 RECORDED");
        CallsOf.assertIdle(world, full);
    }

    @RepeatedTest(5)
    void waitOfNothingStillForwardsWhereTheKeyIsFree() {
        assertThat(told(List.of(await(here.call("k", "{}", Duration.ZERO))))).containsExactly("201 RECORDED");
    }

    @RepeatedTest(5)
    void waitThatIsSpentIsAConflict() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{}");
        world.stage.settle();
        List<CompletableFuture<Answer>> calls =
                List.of(here.call("k", "{}", Duration.ofSeconds(3)), elsewhere.call("k", "{}", Duration.ofSeconds(3)));
        world.stage.advance(Duration.ofMillis(2999));
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        world.stage.advance(Duration.ofMillis(1));
        assertThat(told(calls)).containsOnly("409 in-progress");
        gate.complete(Scripted.response(201, "done"));
        world.stage.settle();
        assertThat(first).isDone();
        nothingIsLeft();
    }

    @RepeatedTest(1)
    void usualWaitIsTheTimeoutAndASecond() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{}");
        world.stage.settle();
        CompletableFuture<Answer> call = here.call("k", "{}");
        world.stage.advance(Replicas.TIMEOUT.plusMillis(999));
        assertThat(call).isNotDone();
        world.stage.advance(Duration.ofMillis(1));
        assertThat(told(List.of(call))).containsExactly("409 in-progress");
        gate.complete(Scripted.response(201, "done"));
        world.stage.settle();
        assertThat(first).isDone();
        nothingIsLeft();
    }

    /// The replica that forwards dies: those who wait elsewhere are told when the lease is over.
    @RepeatedTest(5)
    void waiterOfADeadReplicaIsToldWhenTheLeaseIsOver() {
        world.memory.claim(AsksOf.claim(here, "k", "{}", 7));
        CompletableFuture<Answer> call = elsewhere.call("k", "{}", Duration.ofSeconds(50));
        world.stage.advance(Replicas.LEASE.minusSeconds(1));
        assertThat(call).isNotDone();
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(told(List.of(call))).containsExactly("409 outcome-unknown");
        assertThat(world.stateOf("k")).isEqualTo(State.IN_DOUBT);
        assertThat(downstream.sent()).isEmpty();
        nothingIsLeft();
    }

    @RepeatedTest(5)
    void onePollerAsksForAllWhoWait() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{}");
        world.stage.settle();
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(elsewhere.call("k", "{}"));
        }
        world.stage.advance(Duration.ofSeconds(1));
        int before = world.ledger.asked();
        world.stage.advance(Duration.ofSeconds(10));
        assertThat(world.ledger.asked() - before).isLessThan(150);
        assertThat(elsewhere.waiters.waiting()).isEqualTo(100);
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(told(calls)).containsOnly("201 RECORDED replayed");
        assertThat(first).isDone();
        nothingIsLeft();
    }

    /// A waiter outlives the ledger's absence.
    @RepeatedTest(5)
    void waiterIsToldOnceTheLedgerIsBack() {
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = here.call("k", "{}");
        world.stage.settle();
        CompletableFuture<Answer> call = elsewhere.call("k", "{}");
        world.stage.advance(Duration.ofSeconds(1));
        world.ledger.away();
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(5));
        assertThat(call).isNotDone();
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(3));
        assertThat(told(List.of(first))).containsExactly("201 RECORDED");
        assertThat(told(List.of(call))).containsExactly("201 RECORDED replayed");
        nothingIsLeft();
    }

    @RepeatedTest(1)
    void brokenRowDoesNotKeepTheOthersWaiting() {
        world.memory.claim(AsksOf.claim(here, "broken", "{}", 7));
        world.memory.claim(AsksOf.claim(here, "whole", "{}", 8));
        CompletableFuture<Answer> broken = elsewhere.call("broken", "{}");
        CompletableFuture<Answer> whole = elsewhere.call("whole", "{}");
        world.stage.advance(Duration.ofSeconds(1));
        world.memory.settle(Replicas.id("broken"), 7, new LedgerCases().record(201));
        world.memory.settle(Replicas.id("whole"), 8, new LedgerCases().record(201));
        world.memory.breakLooksAt(Replicas.id("broken"));
        world.stage.advance(Duration.ofMillis(300));
        assertThat(told(List.of(broken, whole))).containsOnly("201 RECORDED replayed");
        nothingIsLeft();
    }

    private List<CompletableFuture<Answer>> calls(int count) {
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add((i % 2 == 0 ? here : elsewhere).call("k", "{}"));
        }
        return calls;
    }

    private CompletableFuture<Answer> await(CompletableFuture<Answer> call) {
        world.stage.await(call, "the call", Duration.ofMinutes(1));
        return call;
    }

    private static List<String> told(List<CompletableFuture<Answer>> calls) {
        assertThat(calls).allMatch(CompletableFuture::isDone, "answered");
        return calls.stream().map(call -> Replicas.text(call.join())).toList();
    }

    private void nothingIsLeft() {
        CallsOf.assertIdle(world, here);
        CallsOf.assertIdle(world, elsewhere);
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/// Many calls that wait for keys claimed by another replica: what they cost the ledger, and when they are answered. Time is
/// the stage's, so every figure is exact.
class WaitingAtScaleTest {

    private static final int KEYS = 100;
    private static final int CALLS = 10_000;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration PROMISED = Duration.ofMillis(300);

    private Replicas world = new Replicas(5);
    private Scripted downstream = new Scripted(world.stage);
    private Replicas.Replica here = world.replica(downstream, Replicas.route());
    private final LedgerCases cases = new LedgerCases();

    /// When the ledger was asked.
    private final List<Duration> asked = new ArrayList<>();

    @BeforeEach
    void seed(RepetitionInfo repetition) {
        world = new Replicas(repetition.getCurrentRepetition());
        downstream = new Scripted(world.stage);
        here = world.replica(new Replicas.Size(100, CALLS), downstream, Replicas.route());
    }

    /// Each look takes the ledger a while.
    private void count(Duration look) {
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                asked.add(world.stage.passed());
            }

            @Override
            public void read(String operation) {
                if (operation.equals("look")) {
                    sleep(look);
                }
            }
        });
    }

    @RepeatedTest(2)
    void tenThousandCostFiftyQueriesASecondAndAreToldWithinThreeTenths(RepetitionInfo repetition) {
        count(Duration.ofMillis(20L * repetition.getCurrentRepetition()));
        for (int key = 0; key < KEYS; key++) {
            claimedElsewhere("k" + key, key);
        }
        List<CompletableFuture<Duration>> answered = new ArrayList<>();
        for (int call = 0; call < CALLS; call++) {
            answered.add(here.call("k" + call % KEYS, "{}").thenApply(answer -> {
                assertThat(Replicas.text(answer)).isEqualTo("201 RECORDED replayed");
                return world.stage.passed();
            }));
            if (call % 100 == 99) {
                world.stage.advance(Duration.ofMillis(10));
            }
        }
        assertThat(asked).as("queries while they came").hasSizeLessThan(KEYS + 50);
        assertThat(here.waiters.waiting()).isEqualTo(CALLS);
        asked.clear();

        world.stage.advance(Duration.ofSeconds(5));
        Duration[] recorded = new Duration[KEYS];
        for (int key = 0; key < KEYS; key++) {
            // Half of them one after the other, the others together.
            world.stage.advance(key < KEYS / 2 ? Duration.ofMillis(37) : Duration.ZERO);
            world.memory.settle(Replicas.id("k" + key), key, cases.record(201));
            recorded[key] = world.stage.passed();
        }
        world.stage.advance(PROMISED);

        assertThat(answered).allMatch(CompletableFuture::isDone);
        for (int call = 0; call < CALLS; call++) {
            assertThat(answered.get(call).join().minus(recorded[call % KEYS])).isLessThanOrEqualTo(PROMISED);
        }
        assertThat(mostInASecond()).as("queries in a second").isLessThanOrEqualTo(50);
        CallsOf.assertIdle(world, here);
    }

    /// Whoever waits for a dead replica's claims costs no statement of its own when their leases end.
    @RepeatedTest(2)
    void deadReplicasClaimsAreSweptForAllWhoWait() {
        for (int key = 0; key < KEYS; key++) {
            claimedElsewhere("k" + key, key);
        }
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int call = 0; call < CALLS / 10; call++) {
            calls.add(here.call("k" + call % KEYS, "{}", Duration.ofMinutes(5)));
        }
        world.stage.advance(SECOND);
        count(Duration.ZERO);
        world.stage.advance(Duration.ofMinutes(4));
        assertThat(calls).allSatisfy(call -> {
            assertThat(call).isDone();
            assertThat(Replicas.text(call.join())).isEqualTo("409 outcome-unknown");
        });
        assertThat(mostInASecond()).as("queries in a second").isLessThanOrEqualTo(50);
        assertThat(downstream.sent()).isEmpty();
        CallsOf.assertIdle(world, here);
    }

    private int mostInASecond() {
        int most = 0;
        for (int first = 0, last = 0; last < asked.size(); last++) {
            while (asked.get(last).minus(asked.get(first)).compareTo(SECOND) >= 0) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /// Sixty responses of a MiB do not come at once, and nobody waits for long because of that.
    @RepeatedTest(1)
    void largeResponsesComeInSeveralLooks() {
        Body large = Body.ofUtf8("x".repeat(1 << 20));
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int key = 0; key < 60; key++) {
            claimedElsewhere("k" + key, key);
            calls.add(here.call("k" + key, "{}"));
        }
        world.stage.advance(Duration.ofSeconds(5));
        count(Duration.ZERO);
        for (int key = 0; key < 60; key++) {
            world.memory.settle(
                    Replicas.id("k" + key), key,
                    new Transition.Record(201, Headers.empty(), large, false, Retention.usual()));
        }
        world.stage.advance(Duration.ofMillis(400));
        assertThat(calls).allMatch(CompletableFuture::isDone);
        assertThat(asked).hasSizeBetween(8, 12);
        CallsOf.assertIdle(world, here);
    }

    @RepeatedTest(5)
    void callThatJoinsAsksNothingAndOneWithAnotherBodyIsToldAtOnce() {
        CompletableFuture<Answer> first = waiting();
        count(Duration.ZERO);
        CompletableFuture<Answer> joined = here.call("k", "{}");
        world.stage.settle();
        assertThat(asked).isEmpty();
        CompletableFuture<Answer> other = here.call("k", "{\"other\":1}");
        CompletableFuture<Answer> impatient = here.call("k", "{}", Duration.ZERO);
        world.stage.settle();
        assertThat(Replicas.text(other.join())).isEqualTo("422 key-reused");
        assertThat(Replicas.text(impatient.join())).isEqualTo("409 in-progress");
        world.memory.settle(Replicas.id("k"), 7, cases.record(201));
        world.stage.advance(PROMISED);
        assertThat(Replicas.text(first.join())).isEqualTo("201 RECORDED replayed");
        assertThat(Replicas.text(joined.join())).isEqualTo("201 RECORDED replayed");
        CallsOf.assertIdle(world, here);
    }

    @RepeatedTest(5)
    void callThatJoinsWaitsForAsLongAsItLikes() {
        CompletableFuture<Answer> first = waiting();
        CompletableFuture<Answer> joined = here.call("k", "{}", Duration.ofSeconds(2));
        world.stage.advance(Duration.ofMillis(1999));
        assertThat(joined).isNotDone();
        world.stage.advance(Duration.ofMillis(1));
        assertThat(Replicas.text(joined.join())).isEqualTo("409 in-progress");
        world.memory.settle(Replicas.id("k"), 7, cases.record(201));
        world.stage.advance(PROMISED);
        assertThat(first).isDone();
        CallsOf.assertIdle(world, here);
    }

    /// A burst: what the claim showed is older than most of the calls, and the look that they wait for is not.
    @RepeatedTest(5)
    void callsThatComeDuringAClaimInVainAskNothing() {
        claimedElsewhere("k", 7);
        List<CompletableFuture<Answer>> calls = duringAClaimInVain("{}", () -> {});
        assertThat(asked).as("the claim").hasSize(1);
        world.stage.advance(Duration.ofSeconds(5));
        world.memory.settle(Replicas.id("k"), 7, cases.record(201));
        world.stage.advance(PROMISED);
        assertThat(calls).allSatisfy(
                call -> assertThat(Replicas.text(call.join())).isEqualTo("201 RECORDED replayed"));
        CallsOf.assertIdle(world, here);
    }

    /// G11: nor are they told what was over before they came.
    @RepeatedTest(5)
    void callsThatComeDuringAClaimInVainAreToldWhatHoldsThen() {
        claimedElsewhere("k", 7);
        List<CompletableFuture<Answer>> calls = duringAClaimInVain("{}", () -> {
            world.memory.settle(Replicas.id("k"), 7, cases.record(422));
            world.memory.claim(AsksOf.claimAfter(here, "k", "{\"corrected\":1}", 8, 7));
            world.memory.settle(Replicas.id("k"), 8, cases.record(201));
        });
        world.stage.advance(PROMISED);
        assertThat(calls).allSatisfy(
                call -> assertThat(Replicas.text(call.join())).isEqualTo("422 key-reused"));
        CallsOf.assertIdle(world, here);
    }

    /// @param meanwhile happens when the claim has seen the entry, and before most of the calls come
    private List<CompletableFuture<Answer>> duringAClaimInVain(String body, Runnable meanwhile) {
        Duration claim = Duration.ofMillis(100);
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                if (!operation.equals("look")) {
                    asked.add(world.stage.passed());
                }
            }

            @Override
            public void after(String operation) {
                sleep(claim);
            }
        });
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        calls.add(here.call("k", body));
        world.stage.advance(claim.dividedBy(2));
        meanwhile.run();
        for (int i = 0; i < 20; i++) {
            calls.add(here.call("k", body));
        }
        world.stage.advance(claim);
        return calls;
    }

    /// G11: the look that ends the wait may have seen the ledger before a call began that joined meanwhile.
    @RepeatedTest(5)
    void callThatJoinsIsNotToldWhatWasSeenBeforeItBegan() {
        CompletableFuture<Answer> early = waiting();
        world.memory.settle(Replicas.id("k"), 7, cases.record(422));
        count(SECOND);
        world.stage.advance(Duration.ofMillis(500));
        assertThat(early).as("seen, and not told yet").isNotDone();
        world.memory.claim(AsksOf.claimAfter(here, "k", "{\"corrected\":1}", 8, 7));
        world.memory.settle(Replicas.id("k"), 8, cases.record(201));
        CompletableFuture<Answer> late = here.call("k", "{}");
        world.stage.advance(SECOND);
        assertThat(Replicas.text(early.join())).isEqualTo("422 RECORDED replayed");
        assertThat(Replicas.text(late.join())).isEqualTo("422 key-reused");
        CallsOf.assertIdle(world, here);
    }

    /// G11: who joined, too, waited through the doubt.
    @RepeatedTest(5)
    void callThatJoinedDoesNotForwardAfterADoubt() {
        Replicas.Replica open = world.replica(downstream, Replicas.deduplicating());
        world.memory.claim(AsksOf.claim(open, "k", "{}", 7));
        CompletableFuture<Answer> first = open.call("k", "{}");
        world.stage.advance(SECOND);
        CompletableFuture<Answer> joined = open.call("k", "{}");
        world.stage.settle();
        world.memory.settle(Replicas.id("k"), 7, cases.doubt(500));
        world.stage.advance(PROMISED);
        assertThat(Replicas.text(first.join())).isEqualTo("409 outcome-unknown");
        assertThat(Replicas.text(joined.join())).isEqualTo("409 outcome-unknown");
        assertThat(downstream.sent()).isEmpty();
        assertThat(world.stateOf("k")).isEqualTo(State.IN_DOUBT);
        CallsOf.assertIdle(world, open);
    }

    /// A call that has waited for a second.
    private CompletableFuture<Answer> waiting() {
        claimedElsewhere("k", 7);
        CompletableFuture<Answer> call = here.call("k", "{}");
        world.stage.advance(SECOND);
        return call;
    }

    private void claimedElsewhere(String key, long attempt) {
        world.memory.claim(AsksOf.claim(here, key, "{}", attempt));
    }

    private void sleep(Duration time) {
        try {
            world.stage.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

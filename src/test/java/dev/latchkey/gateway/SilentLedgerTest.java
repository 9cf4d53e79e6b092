package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A ledger that has fallen silent: everybody is answered within ten seconds.
class SilentLedgerTest {

    private final Replicas world = new Replicas(6);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica replica = world.replica(downstream, Replicas.route());

    /// Each operation takes so long, and then nobody knows what came of it.
    private void silentFor(Duration each) {
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                try {
                    world.stage.sleep(each);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new LedgerUnavailable("silent", true, null);
            }
        });
    }

    private CompletableFuture<Outcome> firstIsForwarded() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        return gate;
    }

    @Test
    void silentLedgerIsAnsweredWithinTwoSecondsOfItsSilence() {
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                throw new LedgerUnavailable("silent", true, null);
            }
        });
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.advance(Duration.ofMillis(2_100));
        assertThat(Replicas.is(call.join(), Problem.LEDGER_UNAVAILABLE)).isTrue();
    }

    /// A second silence, of a look, would make it eleven seconds.
    @Test
    void claimThatWaitedInVainIsNotLookedFor() {
        silentFor(Duration.ofMillis(5_500));
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.advance(Duration.ofSeconds(6));
        assertThat(Replicas.is(call.join(), Problem.LEDGER_UNAVAILABLE)).isTrue();
        assertThat(world.ledger.operations()).doesNotContain("confirm");
        world.ledger.back();
        world.stage.advance(Duration.ofMinutes(2));
        nothingIsLeft();
    }

    @Test
    void trueResponseIsToldWithinTenSecondsAndRecordedOnceTheLedgerIsBack() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.settle();
        world.ledger.away();
        world.stage.advance(Duration.ofSeconds(9));
        assertThat(call).isNotDone();
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(7));
        assertThat(call).isNotDone();
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(call).isCompleted();
        assertThat(Replicas.text(call.join())).isEqualTo("201 IN_DOUBT");
        world.stage.advance(Duration.ofMinutes(10));
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
        nothingIsLeft();
    }

    /// With its own caller, who is told the response: they cannot be told what is recorded.
    @Test
    void callsThatWaitForAnAttemptHereAreToldWhenItsCallerIs() {
        CompletableFuture<Outcome> gate = firstIsForwarded();
        CompletableFuture<Answer> first = replica.call("k", "{}");
        world.stage.settle();
        CompletableFuture<Answer> second = replica.call("k", "{}", Duration.ofSeconds(50));
        world.stage.settle();
        world.ledger.away();
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(7));
        assertThat(List.of(first, second)).noneMatch(CompletableFuture::isDone);
        CompletableFuture<Answer> third = replica.call("k", "{}", Duration.ofSeconds(50));
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(List.of(first, second, third)).allMatch(CompletableFuture::isDone);
        assertThat(Replicas.text(first.join())).isEqualTo("201 IN_DOUBT");
        assertThat(List.of(Replicas.text(second.join()), Replicas.text(third.join())))
                .containsOnly("503 ledger-unavailable");
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
        assertThat(downstream.sent()).hasSize(1);
        nothingIsLeft();
    }

    @Test
    void callsThatWaitForAnAttemptElsewhereAreToldWithinTenSeconds() {
        Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
        CompletableFuture<Outcome> gate = firstIsForwarded();
        CompletableFuture<Answer> first = replica.call("k", "{}");
        world.stage.settle();
        CompletableFuture<Answer> far = elsewhere.call("k", "{}", Duration.ofSeconds(50));
        world.stage.advance(Duration.ofSeconds(1));
        silentFor(Duration.ofSeconds(20));
        world.stage.advance(Duration.ofMillis(7_500));
        assertThat(far).isNotDone();
        world.stage.advance(Duration.ofMillis(500));
        assertThat(far).isCompleted();
        assertThat(Replicas.text(far.join())).isEqualTo("503 ledger-unavailable");
        world.ledger.back();
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(30));
        assertThat(Replicas.text(first.join())).isEqualTo("201 RECORDED");
        CallsOf.assertIdle(world, elsewhere);
        nothingIsLeft();
    }

    /// They do not look once more, which may take as long again.
    @Test
    void callsWhoseTimeEndsInALongSilenceAreToldThen() {
        Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
        CompletableFuture<Outcome> gate = firstIsForwarded();
        CompletableFuture<Answer> first = replica.call("k", "{}");
        world.stage.settle();
        CompletableFuture<Answer> far = elsewhere.call("k", "{}", Duration.ofSeconds(6));
        CompletableFuture<Answer> near = replica.call("k", "{}", Duration.ofSeconds(6));
        world.stage.advance(Duration.ofSeconds(1));
        silentFor(Duration.ofSeconds(20));
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofMillis(4_900));
        assertThat(List.of(far, near)).noneMatch(CompletableFuture::isDone);
        world.stage.advance(Duration.ofMillis(200));
        assertThat(List.of(far, near)).allMatch(CompletableFuture::isDone);
        assertThat(List.of(Replicas.text(far.join()), Replicas.text(near.join())))
                .containsOnly("503 ledger-unavailable");
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(30));
        assertThat(Replicas.text(first.join())).isEqualTo("201 IN_DOUBT");
        CallsOf.assertIdle(world, elsewhere);
        nothingIsLeft();
    }

    /// Of a silence that was over long ago nobody is told.
    @Test
    void silenceCountsFromTheFirstLookOfThoseWhoWait() {
        Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
        CompletableFuture<Outcome> gate = firstIsForwarded();
        CompletableFuture<Answer> first = replica.call("k", "{}");
        world.stage.settle();
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                if (operation.equals("look")) {
                    throw new LedgerUnavailable("away", false, null);
                }
            }
        });
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Answer> far = elsewhere.call("k", "{}", Duration.ofSeconds(3));
            world.stage.advance(Duration.ofSeconds(3));
            assertThat(Replicas.text(far.join())).isEqualTo("409 in-progress");
            world.stage.advance(Duration.ofSeconds(5));
        }
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(first).isCompleted();
        CallsOf.assertIdle(world, elsewhere);
        nothingIsLeft();
    }

    private void nothingIsLeft() {
        CallsOf.assertIdle(world, replica);
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.telemetry.Traces;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a forward comes to, for its entry and for the call that it was made for (contract §5).
class ForwardOutcomeTest {

    private final Replicas world = new Replicas(1);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica replica = world.replica(downstream, Replicas.route());

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204, 301, 307, 400, 404, 409, 422})
    void completeResponseIsRecordedAndThenReplayed(int status) {
        downstream.thenAnswer(status);
        Answer.Delivered first = Replicas.delivered(replica.answer("k", "{}"));
        assertThat(first.response().status()).isEqualTo(status);
        assertThat(first.state()).isEqualTo(State.RECORDED);
        assertThat(first.replayed()).isFalse();
        Answer.Delivered again = Replicas.delivered(replica.answer("k", "{}"));
        assertThat(again.response().status()).isEqualTo(status);
        assertThat(again.replayed()).isTrue();
        assertThat(again.recordedAt()).isNotNull();
        assertThat(downstream.sent()).hasSize(1);
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 407, 425, 429})
    void passingRefusalFreesTheKey(int status) {
        downstream.thenAnswer(status);
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo(status + " RELEASED");
        assertThat(Replicas.text(replica.answer("k", "{\"changed\":1}"))).isEqualTo("201 RECORDED");
        assertThat(downstream.sent()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 408})
    void responseThatSaysNothingLeavesDoubtAndComesAsItIs(int status) {
        downstream.thenAnswer(status);
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo(status + " IN_DOUBT");
        Refusal again = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(again.problem()).isEqualTo(Problem.OUTCOME_UNKNOWN);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.retrySameKey()).isFalse();
        assertThat(again.newKeySafe()).isFalse();
        assertThat(downstream.sent()).hasSize(1);
        nothingIsLeft();
    }

    @Test
    void requestTimeoutBeforeTheLastByteFreesTheKey() {
        downstream.then((forward, overflow) -> new Outcome.Answered(408, Headers.empty(), Body.empty(), false));
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("408 RELEASED");
    }

    @Test
    void nothingSentFreesTheKeyAndSaysSo() {
        downstream.thenRefuse();
        Refusal refusal = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(refusal.problem()).isEqualTo(Problem.NOT_FORWARDED);
        assertThat(refusal.status()).isEqualTo(502);
        assertThat(refusal.state()).isEqualTo(State.RELEASED);
        assertThat(refusal.forwarded()).isEqualTo(Refusal.Forwarded.NO);
        assertThat(refusal.retrySameKey()).isTrue();
        assertThat(refusal.newKeySafe()).isFalse();
        assertThat(refusal.retryAfter()).isNotNull();
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
        nothingIsLeft();
    }

    @Test
    void brokenConnectionLeavesDoubt() {
        downstream.then((forward, overflow) -> new Outcome.Unknown(Cause.CONNECTION_LOST));
        Refusal refusal = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(refusal.problem()).isEqualTo(Problem.OUTCOME_UNKNOWN);
        assertThat(refusal.status()).isEqualTo(502);
        assertThat(refusal.state()).isEqualTo(State.IN_DOUBT);
        assertThat(refusal.cause()).isEqualTo(Cause.CONNECTION_LOST);
        assertThat(refusal.retryAfter()).isNull();
        nothingIsLeft();
    }

    @Test
    void routeMovesStatuses() {
        Statuses moved = new Statuses(Set.of(503), Set.of(500), Set.of(404));
        Replicas.Replica other = world.replica(downstream, Replicas.route("payments", null, false, moved));
        downstream.thenAnswer(503).thenAnswer(500).thenAnswer(404);
        assertThat(Replicas.text(other.answer("released", "{}"))).isEqualTo("503 RELEASED");
        assertThat(Replicas.text(other.answer("recorded", "{}"))).isEqualTo("500 RECORDED");
        assertThat(Replicas.text(other.answer("recorded", "{}"))).isEqualTo("500 RECORDED replayed");
        assertThat(Replicas.text(other.answer("in-doubt", "{}"))).isEqualTo("404 IN_DOUBT");
    }

    @Test
    void silenceIsToldAtTheTimeoutAndTheLateResponseIsRecorded() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.advance(Replicas.TIMEOUT.minusMillis(1));
        assertThat(call).isNotDone();
        world.stage.advance(Duration.ofMillis(1));
        Refusal refusal = Replicas.refusal(Stage.now(call));
        assertThat(refusal.status()).isEqualTo(504);
        assertThat(refusal.state()).isEqualTo(State.CLAIMED);
        assertThat(refusal.retrySameKey()).isTrue();
        assertThat(refusal.retryAfter()).isNotNull();
        assertThat(refusal.entry()).isEqualTo(Replicas.id("k"));
        gate.complete(Scripted.response(201, "late"));
        world.stage.settle();
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
        assertThat(downstream.sent()).hasSize(1);
        nothingIsLeft();
    }

    @Test
    void readsOnUntilOneSecondBeforeTheLeaseEndsAndThenDoubts() {
        downstream.thenAt(new CompletableFuture<Outcome>());
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.advance(Replicas.LEASE.minusMillis(1001));
        assertThat(call).isDone();
        assertThat(world.stateOf("k")).isEqualTo(State.CLAIMED);
        world.stage.advance(Duration.ofMillis(1));
        assertThat(world.stateOf("k")).isEqualTo(State.IN_DOUBT);
        nothingIsLeft();
    }

    /// Whoever comes again the moment it hears must not be refused for want of the place that it had.
    @Test
    void placeIsGivenBackBeforeTheCallerHears() {
        Settling settling =
                new Settling(world.ledger, replica.cache, replica.waiters, world.stage, Replicas.METRICS);
        Ask ask = AsksOf.ask(replica, "k", "{}");
        Ledger.Claimed.Won won = (Ledger.Claimed.Won) world.memory.claim(AsksOf.claim(replica, "k", "{}", 7));
        Attempt attempt = new Attempt(
                settling, won.entry(), ask, Objects.requireNonNull(replica.plans.get("payments")),
                Traces.unsent(world.stage::nanos, () -> 1).begin(Headers.empty(), "POST", true),
                _ -> new Forward("POST", "/orders", null, Headers.empty(), Body.empty(), true),
                SendWindow.from(world.stage, Duration.ofSeconds(5)),
                new LocalAttempt(ask.id(), 7, ask.fingerprint()), 0, replica.budget.open(),
                () -> pause(world.stage, Duration.ofSeconds(1)));
        world.stage.execute(attempt);
        CompletableFuture<Answer> told = world.stage.start(attempt::await);
        world.stage.advance(Duration.ofMillis(999));
        assertThat(told).isNotDone();
        world.stage.advance(Duration.ofMillis(1));
        assertThat(Replicas.text(told.join())).isEqualTo("201 RECORDED");
    }

    @Test
    void callerWhoIsToldToComeAgainFindsThePlaceFree() {
        Replicas.Replica narrow = world.replica(new Replicas.Size(1, 10), downstream, Replicas.route());
        CompletableFuture<Integer> refused = world.stage.start(() -> {
            int refusals = 0;
            for (int i = 0; i < 50; i++) {
                Answer answer = narrow.calls.answer(CallsOf.keyed(narrow, "key-" + i, "{}"));
                refusals += answer instanceof Answer.Refused ? 1 : 0;
            }
            return refusals;
        });
        assertThat(world.stage.await(refused, "a series of calls", Duration.ofMinutes(1))).isZero();
    }

    @Test
    void brokenClientLeavesDoubt() {
        downstream.then((forward, overflow) -> {
            throw new IllegalStateException("a fault of ours");
        });
        Refusal refusal = Replicas.refusal(replica.answer("k", "{}"));
        assertThat(refusal.status()).isEqualTo(502);
        assertThat(refusal.cause()).isEqualTo(Cause.INTERNAL_ERROR);
        assertThat(world.stateOf("k")).isEqualTo(State.IN_DOUBT);
        nothingIsLeft();
    }

    /// G6: the window counts from before the claim, and a slow commit is in it.
    @Test
    void claimThatTookTooLongSendsNothing() {
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void after(String operation) {
                if (operation.equals("claim")) {
                    pause(world.stage, Replicas.MARGIN.dividedBy(2));
                }
            }
        });
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.NOT_FORWARDED)).isTrue();
        assertThat(downstream.sent()).isEmpty();
        assertThat(world.stateOf("k")).isEqualTo(State.RELEASED);
    }

    /// G6: a suspended machine stops one clock and not the other.
    @Test
    void machineThatWasSuspendedAfterItsClaimSendsNothing() {
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void after(String operation) {
                if (operation.equals("claim")) {
                    world.stage.jumpWall(Duration.ofHours(1));
                }
            }
        });
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.NOT_FORWARDED)).isTrue();
        assertThat(downstream.sent()).isEmpty();
    }

    static void pause(Stage stage, Duration time) {
        try {
            stage.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void nothingIsLeft() {
        CallsOf.assertIdle(world, replica);
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A response over the cap: passed through, recorded without its body, its last byte held until that is committed
/// (contract §5).
class LargeResponseTest {

    private final Replicas world = new Replicas(5);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica replica = world.replica(downstream, Replicas.route());
    private final ByteArrayOutputStream caller = new ByteArrayOutputStream();

    private static Scripted.Behaviour large(int status, Stage stage, int pieces, Duration pace) {
        return (forward, overflow) -> {
            overflow.begin(status, Headers.empty(), Body.ofUtf8("begun "), -1);
            for (int i = 0; i < pieces; i++) {
                stage.sleep(pace);
                overflow.more(new byte[] {'x'});
            }
            return new Outcome.Answered(status, Headers.empty(), null, true);
        };
    }

    /// Takes an answer as a server does.
    private CompletableFuture<String> taken(@org.jspecify.annotations.Nullable String key, OutputStream out) {
        CompletableFuture<Answer> call = replica.call(key, "{}", null);
        return world.stage.start(() -> {
            Answer answer = call.get();
            if (answer instanceof Answer.Streamed streamed) {
                try {
                    streamed.body().writeTo(out);
                    return "whole";
                } catch (IOException e) {
                    return "cut";
                }
            }
            return Replicas.text(answer);
        });
    }

    @Test
    void arrivesWholeAndIsRecordedWithoutItsBody() {
        downstream.then(large(201, world.stage, 20, Duration.ofMillis(1)));
        CompletableFuture<String> call = taken("k", caller);
        assertThat(world.stage.await(call, "the call", Duration.ofMinutes(1))).isEqualTo("whole");
        assertThat(caller.toString(StandardCharsets.US_ASCII)).isEqualTo("begun " + "x".repeat(20));
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.RESPONSE_GONE)).isTrue();
        nothingIsLeft();
    }

    @Test
    void doubtfulOneArrivesWholeToo() {
        downstream.then(large(500, world.stage, 3, Duration.ofMillis(1)));
        CompletableFuture<String> call = taken("k", caller);
        assertThat(world.stage.await(call, "the call", Duration.ofMinutes(1))).isEqualTo("whole");
        assertThat(world.stateOf("k")).isEqualTo(State.IN_DOUBT);
        nothingIsLeft();
    }

    @Test
    void lastByteIsHeldUntilTheRecordIsCommitted() {
        downstream.then(large(201, world.stage, 1, Duration.ofSeconds(1)));
        CompletableFuture<String> call = taken("k", caller);
        world.stage.settle();
        world.ledger.away();
        world.stage.advance(Duration.ofSeconds(7));
        assertThat(call).isNotDone();
        assertThat(caller.toString(StandardCharsets.US_ASCII)).isEqualTo("begun ");
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(call.join()).isEqualTo("whole");
        nothingIsLeft();
    }

    @Test
    void connectionIsCutWithinTenSecondsWhileTheLedgerIsAway() {
        downstream.then(large(201, world.stage, 1, Duration.ofSeconds(1)));
        CompletableFuture<String> call = taken("k", caller);
        world.stage.settle();
        world.ledger.away();
        world.stage.advance(Duration.ofMillis(8_900));
        assertThat(call).isNotDone();
        world.stage.advance(Duration.ofMillis(100));
        assertThat(call).isCompleted();
        assertThat(call.join()).isEqualTo("cut");
        assertThat(caller.toString(StandardCharsets.US_ASCII)).isEqualTo("begun ");
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
        nothingIsLeft();
    }

    @Test
    void brokenOneIsCut() {
        downstream.then((forward, overflow) -> {
            overflow.begin(201, Headers.empty(), Body.ofUtf8("begun "), -1);
            return new Outcome.Unknown(dev.latchkey.protocol.Cause.CONNECTION_LOST);
        });
        CompletableFuture<String> call = taken("k", caller);
        assertThat(world.stage.await(call, "the call", Duration.ofMinutes(1))).isEqualTo("cut");
        assertThat(caller.toString(StandardCharsets.US_ASCII)).isNotEqualTo("begun ");
        assertThat(world.stateOf("k")).isEqualTo(State.IN_DOUBT);
        nothingIsLeft();
    }

    @Test
    void callerWhoLeavesStopsNothing() {
        downstream.then(large(201, world.stage, 200, Duration.ofMillis(1)));
        CompletableFuture<String> call = taken("k", new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("gone");
            }
        });
        assertThat(world.stage.await(call, "the call", Duration.ofMinutes(1))).isEqualTo("cut");
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
        nothingIsLeft();
    }

    /// One who takes a byte now and then must not hold the forward past its lease: its outcome would be lost.
    @Test
    void callerWhoDribblesDoesNotMakeADoubt() {
        downstream.then(large(201, world.stage, 100, Duration.ofMillis(1)));
        CompletableFuture<String> call = taken("k", slow(Duration.ofSeconds(8)));
        world.stage.advance(Replicas.LEASE);
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
        assertThat(world.stage.await(call, "the call", Duration.ofHours(1))).isEqualTo("cut");
        nothingIsLeft();
    }

    /// Those who wait, and the place, do not wait for a slow caller once all is recorded.
    @Test
    void slowCallerHoldsNobodyUp() {
        downstream.then(large(201, world.stage, 7, Duration.ofMillis(1)));
        CompletableFuture<String> call = taken("k", slow(Duration.ofSeconds(8)));
        world.stage.advance(Duration.ofMillis(100));
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
        assertThat(replica.places.taken()).isZero();
        assertThat(replica.waiters.attempts()).isZero();
        assertThat(world.stage.await(call, "the call", Duration.ofHours(1))).isEqualTo("whole");
        nothingIsLeft();
    }

    private OutputStream slow(Duration each) {
        return new OutputStream() {
            @Override
            public void write(int b) {
                ForwardOutcomeTest.pause(world.stage, each);
                caller.write(b);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                if (length > 0) {
                    ForwardOutcomeTest.pause(world.stage, each);
                    caller.write(bytes, from, length);
                }
            }
        };
    }

    @Test
    void callerWhoWasToldOfTheTimeoutGetsNothingMoreAndItIsRecorded() {
        downstream.then((forward, overflow) -> {
            world.stage.sleep(Replicas.TIMEOUT.plusSeconds(1));
            return large(201, world.stage, 3, Duration.ofMillis(1)).act(forward, overflow);
        });
        CompletableFuture<String> call = taken("k", caller);
        world.stage.advance(Replicas.TIMEOUT.plusSeconds(2));
        assertThat(call.join()).isEqualTo("504 outcome-unknown");
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
        nothingIsLeft();
    }

    @Test
    void withoutAKeyItArrivesWholeToo() {
        downstream.then(large(200, world.stage, 30, Duration.ofMillis(1)));
        CompletableFuture<String> call = taken(null, caller);
        assertThat(world.stage.await(call, "the call", Duration.ofMinutes(1))).isEqualTo("whole");
        nothingIsLeft();
    }

    @Test
    void withoutAKeyABrokenClientLeavesNobodyWaiting() {
        downstream.then((forward, overflow) -> {
            overflow.begin(200, Headers.empty(), Body.ofUtf8("begun "), -1);
            throw new IllegalStateException("a fault of ours");
        });
        CompletableFuture<String> call = taken(null, caller);
        assertThat(world.stage.await(call, "the call", Duration.ofMinutes(10))).isEqualTo("cut");
        nothingIsLeft();
    }

    private void nothingIsLeft() {
        CallsOf.assertIdle(world, replica);
    }
}

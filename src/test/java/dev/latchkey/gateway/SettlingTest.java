package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// An attempt's transition, in what is too rare for a whole call. Found by the exhaustive model.
class SettlingTest {

    private final Replicas world = new Replicas(8);
    private final Replicas.Replica replica = world.replica(new Scripted(world.stage), Replicas.route());

    /// The first try was committed, unacknowledged; the second lost to it; before the look a failover lost it.
    @Test
    void transitionThatALostCommitUndidIsMadeAgain() {
        Claim claim = AsksOf.claim(replica, "k", "{}", 7);
        Ledger.Claimed.Won won = (Ledger.Claimed.Won) world.memory.claim(claim);
        Settling settling = new Settling(forgetful(), replica.cache, replica.waiters, world.stage, Replicas.METRICS);
        CompletableFuture<Found> settled = world.stage.start(() -> Objects.requireNonNull(settling.settle(
                won.entry(),
                new Transition.Record(201, Headers.empty(), Body.ofUtf8("done"), false, Retention.usual()))));
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(settled.join().entry().state()).isEqualTo(State.RECORDED);
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
    }

    /// Its first transition loses, though what is read then would let it win.
    private Ledger forgetful() {
        boolean[] lost = new boolean[1];
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("settle") && !lost[0]) {
                        lost[0] = true;
                        return new Ledger.Settled.Lost(world.memory.find(Replicas.id("k")));
                    }
                    try {
                        return method.invoke(world.memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}

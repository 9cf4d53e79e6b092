package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.Said;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The thread by which all waits for other replicas end.
class PollerTest {

    private final Replicas world = new Replicas(7);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica here = world.replica(downstream, Replicas.route());
    private final Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
    @RegisterExtension
    private final Said said = Said.by(Poller.class);

    /// An error is no ledger's trouble and no unreadable row: want of memory, or a class that is missing.
    @Test
    void itOutlivesErrorsAndSaysEachKindOnce() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> first = elsewhere.call("k", "{}");
        world.stage.settle();
        AtomicInteger looks = new AtomicInteger();
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void read(String operation) {
                if (operation.equals("look") && looks.getAndIncrement() < 2) {
                    throw new StackOverflowError("not really");
                }
            }
        });
        CompletableFuture<Answer> waits = here.call("k", "{}");
        world.stage.advance(Duration.ofMillis(1_500));
        assertThat(looks).as("it rests for a second").hasValue(2);

        world.stage.advance(Duration.ofSeconds(1));
        gate.complete(Scripted.response(201, "done"));
        world.stage.advance(Duration.ofSeconds(1));

        assertThat(List.of(first, waits)).allMatch(CompletableFuture::isDone);
        assertThat(Replicas.text(first.join())).isEqualTo("201 RECORDED");
        assertThat(Replicas.text(waits.join())).isEqualTo("201 RECORDED replayed");
        assertThat(said.lines()).hasSize(1);
        CallsOf.assertIdle(world, here);
    }
}

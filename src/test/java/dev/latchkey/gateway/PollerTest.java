package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.latchkey.protocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// The thread by which all waits for other replicas end.
class PollerTest {

    private final Replicas world = new Replicas(7);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica here = world.replica(downstream, Replicas.route());
    private final Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
    private final Logger logger = (Logger) LoggerFactory.getLogger(Poller.class);
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @BeforeEach
    void listen() {
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(said);
    }

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
        assertThat(said.list).hasSize(1);
        CallsOf.assertIdle(world, here);
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// What a replica saw in the ledger may be old when it goes on. Found by [Simulation], which stopped one between its look
/// and its answer.
class StoppedReplicaTest {

    private final Replicas world = new Replicas(3);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
    private final Faulty slow = new Faulty(world.memory);
    private final Replicas.Replica here =
            world.replica(slow, world.stage, new Replicas.Size(10, 10), downstream, Replicas.route());

    /// G11: what a call attaches to may have looked at the ledger before that call began.
    @Test
    void callIsNotToldWhatWasSeenBeforeItBegan() {
        downstream.thenAnswer(422).thenAnswer(201);
        assertThat(Replicas.text(elsewhere.answer("k", "{\"bad\":1}"))).isEqualTo("422 RECORDED");
        stopAfter("claim", Duration.ofSeconds(10));
        CompletableFuture<Answer> early = here.call("k", "{\"bad\":1}");
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(Replicas.text(elsewhere.answer("k", "{}"))).as("the correction").isEqualTo("201 RECORDED");
        CompletableFuture<Answer> late = here.call("k", "{\"bad\":1}");
        world.stage.advance(Duration.ofSeconds(20));
        assertThat(Replicas.text(early.join())).isEqualTo("422 RECORDED replayed");
        assertThat(Replicas.text(late.join())).isEqualTo("422 key-reused");
        CallsOf.assertIdle(world, here);
    }

    /// G17: it goes when its retention ends, not so long after it was learnt.
    @Test
    void whatIsLearntLateIsNotKeptLonger() {
        Retention retention = new Retention(Duration.ofMinutes(4), null, Duration.ofHours(1));
        Route usual = Replicas.route();
        Route brief = new Route(
                usual.name(), usual.timeout(), usual.leaseMargin(), null, false, false, true, usual.sentAs(),
                usual.statuses(), retention);
        Replicas.Replica replica =
                world.replica(slow, world.stage, new Replicas.Size(10, 10), downstream, brief);
        stopAfter("settle", Duration.ofSeconds(210));
        CompletableFuture<Answer> first = replica.call("k", "{}");
        world.stage.advance(Duration.ofSeconds(211));
        assertThat(first).isDone();
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED replayed");
        world.stage.advance(Duration.ofSeconds(35));
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("410 response-gone");
    }

    private void stopAfter(String name, Duration time) {
        slow.trouble(new Faulty.Trouble() {
            @Override
            public void after(String operation) {
                if (operation.equals(name)) {
                    slow.back();
                    sleep(time);
                }
            }
        });
    }

    private void sleep(Duration time) {
        try {
            world.stage.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

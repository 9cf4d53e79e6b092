package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// G11: what a call attaches to may have looked at the ledger before that call began. Found by [Simulation], which stopped
/// a replica between its look and its answer.
class LateCallTest {

    private final Replicas world = new Replicas(3);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica elsewhere = world.replica(downstream, Replicas.route());
    private final Faulty slow = new Faulty(world.memory);
    private final Replicas.Replica here =
            world.replica(slow, world.stage, new Replicas.Size(10, 10), downstream, Replicas.route());

    @Test
    void callIsNotToldWhatWasSeenBeforeItBegan() {
        downstream.thenAnswer(422).thenAnswer(201);
        assertThat(Replicas.text(elsewhere.answer("k", "{\"bad\":1}"))).isEqualTo("422 RECORDED");
        slow.trouble(new Faulty.Trouble() {
            @Override
            public void after(String operation) {
                slow.back();
                sleep(Duration.ofSeconds(10));
            }
        });
        CompletableFuture<Answer> early = here.call("k", "{\"bad\":1}");
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(Replicas.text(elsewhere.answer("k", "{}"))).as("the correction").isEqualTo("201 RECORDED");
        CompletableFuture<Answer> late = here.call("k", "{\"bad\":1}");
        world.stage.advance(Duration.ofSeconds(20));
        assertThat(Replicas.text(early.join())).isEqualTo("422 RECORDED replayed");
        assertThat(Replicas.text(late.join())).isEqualTo("422 key-reused");
        CallsOf.assertIdle(world, here);
    }

    private void sleep(Duration time) {
        try {
            world.stage.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

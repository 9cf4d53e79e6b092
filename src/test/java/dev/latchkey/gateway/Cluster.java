package dev.latchkey.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// The replicas of a [Simulation]: two, each of which may die and be replaced by a fresh one, or stand still for a while.
final class Cluster {

    private static final int SIZE = 2;

    private final SimulatedNode.Site site;
    private final Stage stage;
    private final Random random;
    private final Story story;
    private final List<CompletableFuture<SimulatedNode>> slots = new ArrayList<>();
    private boolean calm;
    private int started;

    Cluster(SimulatedNode.Site site, Story story) {
        this.site = site;
        this.stage = site.world().stage;
        this.random = site.random();
        this.story = story;
        for (int slot = 0; slot < SIZE; slot++) {
            slots.add(start(slot));
        }
        stage.settle();
    }

    private CompletableFuture<SimulatedNode> start(int slot) {
        started++;
        String name = "replica " + started;
        String header = site.scenario().rollout() && started > 1 ? "Other-Key" : "Idempotency-Key";
        Life life = new Life(stage);
        return life.start(() -> {
            SimulatedNode node = SimulatedNode.start(site, name, life, header, () -> meetsItsFate(slot, life));
            if (calm) {
                node.trouble.calmDown();
            }
            return node;
        });
    }

    /// Called by the replica's own threads, at each step that counts: here it may die, or stand still.
    private void meetsItsFate(int slot, Life life) {
        if (calm || life.isDead()) {
            return;
        }
        if (site.scenario().crashes() && random.nextInt(250) == 0) {
            dies(slot, life);
        } else if (site.scenario().stalls() > 0 && random.nextInt(site.scenario().stalls()) == 0) {
            SimulatedNode node = Stage.now(slots.get(slot));
            if (node != null && node.life == life) {
                long most = Scenario.longestStall(site.missing()).toMillis();
                stops(node, Duration.ofMillis(random.nextLong(random.nextBoolean() ? 20_000 : most)));
            }
        }
    }

    private void dies(int slot, Life life) {
        story.note("the replica in place " + slot + " dies");
        life.kill();
        CompletableFuture<SimulatedNode> next = new CompletableFuture<>();
        slots.set(slot, next);
        stage.execute(() -> {
            try {
                stage.sleep(Duration.ofMillis(random.nextInt(20_000)));
                next.complete(start(slot).get());
                story.note("a fresh one takes its place");
            } catch (InterruptedException | ExecutionException e) {
                next.completeExceptionally(e);
            }
        });
        Stage.yieldTurn();
        throw new IllegalStateException("a dead thread goes on");
    }

    private void stops(SimulatedNode node, Duration time) {
        boolean suspended = site.scenario().clocks() == Scenario.Wrong.SUSPENDED;
        story.note(node.name + (suspended ? " is suspended" : " is stopped"));
        node.life.stop();
        stage.execute(() -> {
            try {
                stage.sleep(time);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (suspended) {
                node.clocks.suspended(time);
            }
            node.life.goOn();
            story.note(node.name + " goes on");
        });
        Stage.yieldTurn();
    }

    /// A replica that is there; null: the one asked for is not.
    @Nullable
    SimulatedNode any() {
        return Stage.now(slots.get(random.nextInt(SIZE)));
    }

    /// No replica dies or stops from now on.
    void calmDown() {
        calm = true;
        all().forEach(node -> node.trouble.calmDown());
    }

    List<SimulatedNode> all() {
        return slots.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join).toList();
    }
}

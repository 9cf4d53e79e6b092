package dev.latchkey.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The threads of one process on a [Stage], with all that these start: they can be stopped, let go on, or ended for ever,
/// each at its next step, as a process is by SIGSTOP, SIGCONT and SIGKILL. What it has handed to others goes on.
final class Life implements Executor {

    private final Stage stage;
    private final Thread.Builder.OfVirtual threads;
    private final List<Runnable> held = new ArrayList<>();
    private @Nullable Duration stillSince;
    private boolean dead;

    Life(Stage stage) {
        this.stage = stage;
        this.threads = Stage.threads(step -> stage.arrives(() -> take(step)));
    }

    private void take(Runnable step) {
        if (dead) {
            return;
        }
        if (stillSince != null) {
            held.add(step);
        } else {
            step.run();
        }
    }

    @Override
    public void execute(Runnable work) {
        threads.start(work);
    }

    /// Starts a thread and tells what it returned, if it ever does.
    <T> CompletableFuture<T> start(Callable<T> work) {
        return Stage.start(this, work);
    }

    /// No thread goes on until [#goOn].
    void stop() {
        stillSince = stage.passed();
    }

    void goOn() {
        if (!dead) {
            stillSince = null;
        }
        List<Runnable> again = List.copyOf(held);
        held.clear();
        again.forEach(step -> stage.arrives(() -> take(step)));
    }

    /// No thread ever goes on. One that calls this goes on until it waits.
    void kill() {
        dead = true;
        stillSince = stage.passed();
        held.clear();
    }

    boolean isDead() {
        return dead;
    }

    /// For how long nothing has gone on.
    Duration still() {
        return stillSince == null ? Duration.ZERO : stage.passed().minus(stillSince);
    }
}

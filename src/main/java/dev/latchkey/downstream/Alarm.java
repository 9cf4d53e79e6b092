package dev.latchkey.downstream;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A deadline that is either kept or missed, never both: once disarmed the action does not run. Safe for any number of
/// threads.
final class Alarm implements AutoCloseable {

    private enum State {
        ARMED,
        DISARMED,
        FIRED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.ARMED);
    private final Runnable action;
    private volatile @Nullable Future<?> timer;

    Alarm(Runnable action) {
        this.action = action;
    }

    void timer(Future<?> future) {
        timer = future;
    }

    void fire() {
        if (state.compareAndSet(State.ARMED, State.FIRED)) {
            action.run();
        }
    }

    boolean fired() {
        return state.get() == State.FIRED;
    }

    /// Calls the alarm off; returns false if it had fired.
    boolean disarm() {
        state.compareAndSet(State.ARMED, State.DISARMED);
        Future<?> future = timer;
        if (future != null) {
            future.cancel(false);
        }
        return !fired();
    }

    @Override
    public void close() {
        disarm();
    }
}

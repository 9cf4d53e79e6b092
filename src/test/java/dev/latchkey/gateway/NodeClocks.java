package dev.latchkey.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// The clocks of one machine on a [Stage]. Its wall clock is wrong and may jump; its monotonic one begins anywhere, never
/// jumps, and stands still while the machine is suspended.
final class NodeClocks implements Clocks {

    private final Stage stage;
    private Duration skew;
    private long origin;

    /// @param skew how wrong the wall clock is
    /// @param origin of the monotonic clock
    NodeClocks(Stage stage, Duration skew, long origin) {
        this.stage = stage;
        this.skew = skew;
        this.origin = origin;
    }

    void jumpWall(Duration by) {
        skew = skew.plus(by);
    }

    /// The machine was suspended for so long, until now.
    void suspended(Duration time) {
        origin -= time.toNanos();
    }

    @Override
    public Instant now() {
        return stage.now().plus(skew);
    }

    @Override
    public long nanos() {
        return stage.nanos() + origin;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        stage.sleep(time);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stage.await(future, atMost);
    }
}

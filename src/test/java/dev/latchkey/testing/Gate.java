package dev.latchkey.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Holds a step until the test opens it, so that a test decides when the downstream goes on instead of sleeping.
public final class Gate {

    private static final int PATIENCE_SECONDS = 120;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    /// Waits at this gate, then plays the step.
    public Step before(Step step) {
        return (request, wire) -> {
            reached.countDown();
            await(open, "the test never opened the gate");
            step.play(request, wire);
        };
    }

    /// Waits until a request stands at the gate.
    public void awaitReached() throws InterruptedException {
        await(reached, "no request reached the gate");
    }

    public void open() {
        open.countDown();
    }

    private static void await(CountDownLatch latch, String otherwise) throws InterruptedException {
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(otherwise);
        }
    }
}

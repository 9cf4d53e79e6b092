package dev.latchkey.cli;

import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.LogQueue;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// From ready to ended: the first signal drains, the second one stops at once.
final class Lifetime {

    private static final Log LOG = Log.of(Lifetime.class);

    private static final Duration LAST_LINES = Duration.ofSeconds(1);

    private final Signals signals;
    private final IntConsumer halt;

    /// Takes what a test replaces.
    ///
    /// @param halt ends the process with that status, whatever still runs
    Lifetime(Signals signals, IntConsumer halt) {
        this.signals = signals;
        this.halt = halt;
    }

    static Lifetime ofThisProcess() {
        return new Lifetime(new OsSignals(), status -> {
            // Ends the process without its hooks.
            LogQueue.flush(LAST_LINES);
            Runtime.getRuntime().halt(status);
        });
    }

    /// Returns the exit status when the gateway has ended.
    ///
    /// @param ready tells whoever may send a signal that it is understood from now on
    int of(RunningGateway gateway, Runnable ready) {
        AtomicInteger signalled = new AtomicInteger();
        signals.onTermination(() -> {
            if (signalled.incrementAndGet() == 1) {
                gateway.drain();
                gateway.close();
            } else {
                stopAtOnce(gateway);
            }
        });
        try (gateway) {
            // Only now: whoever reads that it is ready may send a signal.
            gateway.begin();
            ready.run();
            gateway.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.info(LogEvent.STOPPED);
        // Where a second signal has come it is a race who ends the process first: both say the same.
        return signalled.get() == 1 ? ExitStatus.CLEAN : ExitStatus.FAILED;
    }

    /// Returns when a signal comes.
    ///
    /// @param ready tells whoever may send it that it is understood from now on
    int of(RunningSandbox sandbox, Runnable ready) {
        CountDownLatch ended = new CountDownLatch(1);
        signals.onTermination(ended::countDown);
        try (sandbox) {
            ready.run();
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitStatus.CLEAN;
    }

    /// Has the one handler run at the first signal, and the other at the second, which ends the process at once.
    void onSignals(Runnable handler, Runnable last) {
        AtomicInteger signalled = new AtomicInteger();
        signals.onTermination(() -> {
            if (signalled.incrementAndGet() == 1) {
                handler.run();
            } else {
                last.run();
                halt.accept(ExitStatus.FAILED);
            }
        });
    }

    /// Gives an embedded PostgreSQL the moment that it needs to end with us.
    private void stopAtOnce(RunningGateway gateway) {
        Thread closing = Thread.ofPlatform().daemon().start(gateway::close);
        try {
            closing.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        halt.accept(ExitStatus.FAILED);
    }
}

package dev.latchkey.postgres;

import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Looks after an embedded server and starts it again when it has died, with a pause that grows while it dies again and
/// again. Closed before the server is stopped, so that nothing is started meanwhile.
final class ServerWatch implements AutoCloseable {

    private static final Log LOG = Log.of(ServerWatch.class);
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /// So many good looks in a row, and what befell it before counts no more.
    private static final int WELL_AGAIN = 60;

    private final Watched server;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private int deaths;
    private int goodLooks;

    /// What is looked after.
    interface Watched {

        /// Whether its process lives.
        boolean runs() throws IOException;

        /// Starts it again, where it listened before.
        ///
        /// @throws LedgerUnfit when it does not start; the message says why
        void startAgain() throws IOException;
    }

    ServerWatch(Watched server) {
        this.server = server;
        this.thread = Thread.ofVirtual().name("postgres-watch").start(this::watch);
    }

    private void watch() {
        try {
            while (!closing.await(pause().toNanos(), TimeUnit.NANOSECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration pause() {
        Duration grown = EVERY.multipliedBy(1L << Math.min(deaths, 10));
        return grown.compareTo(LONGEST_PAUSE) < 0 ? grown : LONGEST_PAUSE;
    }

    private void look() {
        try {
            if (server.runs()) {
                goodLooks++;
                deaths = goodLooks >= WELL_AGAIN ? 0 : deaths;
                return;
            }
            goodLooks = 0;
            deaths++;
            LOG.warn(LogEvent.POSTGRES_DIED, "deaths", deaths);
            server.startAgain();
            LOG.info(LogEvent.POSTGRES_STARTED);
        } catch (IOException | RuntimeException e) {
            LOG.warn(LogEvent.POSTGRES_NOT_STARTED, "reason", String.valueOf(e.getMessage()));
        }
    }

    /// Waits for a start that is under way.
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

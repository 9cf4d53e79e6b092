package dev.latchkey.postgres;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import org.jspecify.annotations.Nullable;

/// A pool of connections as it stands, for those who watch it. Safe for any number of threads.
public final class Connections {

    private final HikariDataSource pool;

    Connections(HikariDataSource pool) {
        this.pool = pool;
    }

    /// Its name.
    public String pool() {
        return String.valueOf(pool.getPoolName());
    }

    /// Those at work.
    public int inUse() {
        HikariPoolMXBean now = now();
        return now == null ? 0 : now.getActiveConnections();
    }

    /// All of them.
    public int open() {
        HikariPoolMXBean now = now();
        return now == null ? 0 : now.getTotalConnections();
    }

    /// How many there may be.
    public int most() {
        return pool.getMaximumPoolSize();
    }

    /// Threads that wait for one.
    public int awaited() {
        HikariPoolMXBean now = now();
        return now == null ? 0 : now.getThreadsAwaitingConnection();
    }

    private @Nullable HikariPoolMXBean now() {
        return pool.getHikariPoolMXBean();
    }
}

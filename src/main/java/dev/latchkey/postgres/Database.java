package dev.latchkey.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.latchkey.gateway.LedgerUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jdbi.v3.core.transaction.TransactionException;
import org.jdbi.v3.postgres.PostgresPlugin;
import org.jspecify.annotations.Nullable;

/// The pool of connections, and what each failure means. Every piece of work is one statement in a transaction of its own.
/// Safe for any number of threads.
final class Database implements AutoCloseable {

    private static final long CONNECTION_TIMEOUT_MILLIS = 1_500;
    private static final long LANE_CONNECTION_TIMEOUT_MILLIS = 1_200;
    private static final int TRIES = 5;

    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final Pulse pulse;
    private final Primary primary;
    private final String settings;
    private final int kept;

    /// A pool of connections that are kept open, once it is to be filled.
    Database(Sessions sessions, Primary primary, int connections, Pulse pulse) {
        this(config(sessions, "ledger", connections), connections, sessions.told(), primary, pulse);
    }

    private Database(HikariConfig config, int kept, ServerSettings told, Primary primary, Pulse pulse) {
        this.kept = kept;
        this.pool = new HikariDataSource(config);
        this.jdbi = Jdbi.create(pool).installPlugin(new PostgresPlugin());
        this.jdbi.getConfig(SqlStatements.class)
                .setTemplateEngine(TemplateEngine.NOP)
                .addCustomizer(new WarningsFail());
        this.pulse = pulse;
        this.primary = primary;
        this.settings = told.forTransaction();
        primary.onLoss(() -> pool.getHikariPoolMXBean().softEvictConnections());
    }

    /// A pool that grows from one connection, once it is to be filled.
    ///
    /// @param name for messages
    /// @param more what its servers are told besides
    static Database growing(
            Sessions sessions, Primary primary, String name, int most, ServerSettings more, Pulse pulse) {
        Sessions own = sessions.with(more);
        HikariConfig config = config(own, name, most);
        config.setIdleTimeout(60_000);
        // Who needs one may have waited for a lane that is stuck before.
        config.setConnectionTimeout(LANE_CONNECTION_TIMEOUT_MILLIS);
        return new Database(config, 1, own.told(), primary, pulse);
    }

    private static HikariConfig config(Sessions sessions, String name, int most) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(sessions);
        config.setMaximumPoolSize(most);
        // A password is derived anew for each, which takes a starting program long.
        config.setMinimumIdle(0);
        // A refused ledger is answered within two seconds.
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setValidationTimeout(1_000);
        config.setMaxLifetime(600_000);
        config.setKeepaliveTime(30_000);
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /// Work that changes something.
    ///
    /// @param what names it in messages
    /// @throws LedgerUnavailable when it failed, and whether it may hold nevertheless
    /// @throws DataRefused when the server refuses what it was given
    <T> T write(String what, Function<Handle, T> work) {
        return run(what, work, true, TRIES);
    }

    /// Work that changes nothing: on a connection that was lost it is done again, as often as there are connections: a
    /// restart of the server breaks them all. Not after a silence, which has cost its time already.
    <T> T read(String what, Function<Handle, T> work) {
        for (int left = pool.getMaximumPoolSize();; left--) {
            try {
                return run(what, work, false, TRIES);
            } catch (LedgerUnavailable e) {
                if (left == 0 || !Trouble.isBrokenConnection(e)) {
                    throw e;
                }
            }
        }
    }

    private <T> T run(String what, Function<Handle, T> work, boolean writes, int tries) {
        try (Opened opened = open()) {
            T result = primary.isPooled() ? inTransaction(opened.handle(), work) : work.apply(opened.handle());
            if (primary.takeovers() == opened.takeovers()) {
                pulse.beat();
                return result;
            }
        } catch (ConnectionException e) {
            throw unreachable(what, e);
        } catch (JdbiException e) {
            SQLException failure = Trouble.cause(e);
            Trouble trouble = failure == null ? Trouble.UNKNOWN : Trouble.of(failure);
            if (trouble == Trouble.RETRY && tries > 1) {
                return run(what, work, writes, tries - 1);
            }
            if (trouble == Trouble.DATA && failure != null) {
                throw new DataRefused(failure);
            }
            throw failed(what, e, failure, writes && trouble == Trouble.UNKNOWN);
        }
        // It may have been done on a server that another one has replaced meanwhile.
        if (!writes && tries > 1) {
            return run(what, work, false, tries - 1);
        }
        throw new LedgerUnavailable("Another server took over while the ledger was to " + what, writes, null);
    }

    /// Behind a pooler what is set outlives the transaction elsewhere, or not at all: so each one sets for itself.
    private <T> T inTransaction(Handle handle, Function<Handle, T> work) {
        T result = handle.inTransaction(own -> {
            own.execute(settings);
            return work.apply(own);
        });
        try {
            WarningsFail.look(handle.getConnection().getWarnings());
        } catch (SQLException e) {
            throw new TransactionException("the commit", e);
        }
        return result;
    }

    /// @param takeovers how many there had been when the handle was opened, and before
    private record Opened(Handle handle, long takeovers) implements AutoCloseable {
        @Override
        public void close() {
            handle.close();
        }
    }

    /// Who waited for a connection while another server took over may have got one to either.
    private Opened open() {
        while (true) {
            long takeovers = primary.takeovers();
            Handle handle = jdbi.open();
            if (primary.takeovers() == takeovers) {
                return new Opened(handle, takeovers);
            }
            handle.close();
        }
    }

    /// Without a connection, nothing was sent.
    private LedgerUnavailable unreachable(String what, ConnectionException e) {
        if (pulse.problem() == null && pulse.age().toMillis() < CONNECTION_TIMEOUT_MILLIS) {
            // It answered others meanwhile.
            return new LedgerUnavailable("The ledger is too busy to " + what + ": no connection was free", false, e);
        }
        String why = primary.whyNot();
        pulse.miss(why);
        return new LedgerUnreached("The ledger cannot be used to " + what + ": " + why, e);
    }

    private LedgerUnavailable failed(String what, JdbiException e, @Nullable SQLException failure,
            boolean commitUnknown) {
        String state = failure == null ? "none" : String.valueOf(failure.getSQLState());
        if (state.startsWith("08") || state.startsWith("57P")) {
            primary.doubt();
            pulse.miss("the connection was lost");
        } else if (Trouble.READ_ONLY.equals(state)) {
            // Behind a pooler a connection outlives a switchover, and leads to a standby from then on.
            primary.deposed();
            pulse.miss("its server takes no writes any more");
        }
        return new LedgerUnavailable("The ledger failed to " + what + " (SQLSTATE " + state + ")", commitUnknown, e);
    }

    /// From now on as many as are kept are made beforehand, and not only when they are wanted: who are many when they come
    /// first would wait too long for them. The pool looks for that twice a minute, and at once when it has let one go.
    void fill() {
        pool.setMinimumIdle(kept);
        Thread.ofVirtual().name("fill").start(() -> {
            try (Connection one = pool.getConnection()) {
                pool.evictConnection(one);
            } catch (SQLException _) {
                // Whoever needs a connection says why there is none.
            }
        });
    }

    Connections connections() {
        return new Connections(pool);
    }

    /// Waits for what is under way.
    @Override
    public void close() {
        primary.close();
        pool.close();
    }
}

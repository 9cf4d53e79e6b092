package dev.latchkey.postgres;

import dev.latchkey.gateway.LedgerUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;
import org.jspecify.annotations.Nullable;

/// The ledger's tables: makes them what this program needs, or looks whether they are. Several programs may do so at once.
final class Schema {

    private static final int LONGEST_LOOK_MILLIS = 5_000;

    private final Sessions sessions;

    Schema(Sessions sessions) {
        this.sessions = sessions;
    }

    private Flyway flyway() {
        return Flyway.configure(Schema.class.getClassLoader())
                .dataSource(sessions)
                .locations("classpath:db/migration", "classpath:db/engine")
                .loggers("slf4j")
                .cleanDisabled(true)
                .placeholderReplacement(false)
                .load();
    }

    /// Brings the schema up to date, and then looks at the keys, which lie in it.
    ///
    /// @throws LedgerUnfit when that cannot be done, and why
    /// @throws LedgerUnavailable when the server does not answer
    void migrate(KeyCheck keys) {
        if (fits(keys)) {
            return;
        }
        run(() -> {
            Flyway flyway = flyway();
            refuseNewer(flyway.info());
            flyway.migrate();
        });
        keys.check();
    }

    /// Looks whether the schema fits, and then at the keys.
    ///
    /// @throws LedgerUnfit when it does not, and what to do
    /// @throws LedgerUnavailable when the server does not answer
    void check(KeyCheck keys) {
        if (fits(keys)) {
            return;
        }
        run(() -> {
            Flyway flyway = flyway();
            MigrationInfoService info = flyway.info();
            refuseNewer(info);
            MigrationInfo current = info.current();
            if (current == null) {
                throw new LedgerUnfit(
                        "This database holds no ledger: run `latchkey migrate`, or set ledger.migrate: true.");
            }
            for (MigrationInfo pending : info.pending()) {
                if (pending.getVersion() != null) {
                    throw new LedgerUnfit("The ledger's schema is at version " + version(current)
                            + ", older than this program, which needs version " + pending.getVersion()
                            + ": run `latchkey migrate` of this version first.");
                }
            }
            flyway.validate();
        });
        keys.check();
    }

    /// What a newer program only added is none of this one's business.
    private static void refuseNewer(MigrationInfoService info) {
        for (MigrationInfo applied : info.applied()) {
            boolean future = applied.getState() == MigrationState.FUTURE_SUCCESS
                    || applied.getState() == MigrationState.FUTURE_FAILED;
            if (future && !QuickLook.expands(applied.getDescription())) {
                throw new LedgerUnfit("The ledger's schema is at version " + version(applied)
                        + ", newer than this program knows: start the newer Latchkey that migrated it.");
            }
        }
    }

    private static String version(MigrationInfo info) {
        return info.getVersion() == null ? "0" : info.getVersion().toString();
    }

    /// The server is asked directly first, for Flyway wraps what it says. The keys are looked at on the same connection,
    /// for with a password each costs tens of milliseconds of a start.
    private boolean fits(KeyCheck keys) {
        try (Connection connection = sessions.getConnection()) {
            if (!QuickLook.fits(connection)) {
                return false;
            }
            connection.setNetworkTimeout(Runnable::run, LONGEST_LOOK_MILLIS);
            keys.check(connection);
            return true;
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private static RuntimeException refused(SQLException e) {
        UnfitServer unfit = Trouble.unfit(e);
        if (unfit != null) {
            return new LedgerUnfit(String.valueOf(unfit.getMessage()), e);
        }
        String state = String.valueOf(e.getSQLState());
        if (state.startsWith("28")) {
            return new LedgerUnfit("The ledger's server refuses ledger.user or ledger.password.", e);
        }
        if (state.startsWith("3D")) {
            return new LedgerUnfit("The ledger's server has no database of the name in ledger.url: create it.", e);
        }
        String why = e instanceof NotReady
                ? "cannot be used: " + e.getMessage()
                : "does not answer (SQLSTATE " + state + ")";
        return new LedgerUnavailable("The ledger's server " + why, false, e);
    }

    private static void run(Runnable work) {
        try {
            work.run();
        } catch (FlywayException e) {
            SQLException failure = Trouble.cause(e);
            if (failure != null && isLost(failure)) {
                throw new LedgerUnavailable("The ledger's server was lost while its schema was looked at", false, e);
            }
            throw new LedgerUnfit(explain(e, failure), e);
        }
    }

    private static boolean isLost(SQLException failure) {
        String state = failure.getSQLState();
        return state == null || state.startsWith("08") || state.startsWith("57P");
    }

    private static String explain(FlywayException e, @Nullable SQLException failure) {
        String said = String.valueOf(e.getMessage());
        if (said.contains("non-empty schema")) {
            return "This database holds other tables and no ledger: name an empty one, or a schema of its own with"
                    + " ?currentSchema=latchkey in ledger.url.";
        }
        if (failure != null && "42501".equals(failure.getSQLState())) {
            return "ledger.user may not change the schema: run `latchkey migrate` as its owner and set ledger.migrate: false.";
        }
        String first = said.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
        return "The ledger's schema is not the one that this program makes, and cannot be brought up to date: " + first;
    }
}

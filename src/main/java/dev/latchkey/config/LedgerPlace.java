package dev.latchkey.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where the ledger is kept.
public sealed interface LedgerPlace {

    /// A PostgreSQL server of one's own.
    ///
    /// @param url a JDBC URL that begins `jdbc:postgresql:`; may hold a password, so it stays out of messages
    /// @param user null: as the URL says
    /// @param password null: as the URL says
    record Server(String url, @Nullable String user, @Nullable SecretText password) implements LedgerPlace {

        public Server {
            new Checks().add("url", JdbcUrl.complaint(url)).done();
        }

        @Override
        public String toString() {
            return "Server[" + JdbcUrl.withoutParameters(url) + "]";
        }
    }

    /// An embedded PostgreSQL, kept over restarts.
    ///
    /// @param dataDir its folder, made where it is missing
    record Embedded(Path dataDir) implements LedgerPlace {}
}

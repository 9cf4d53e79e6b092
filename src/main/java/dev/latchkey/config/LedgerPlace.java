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

        static final String START = "jdbc:postgresql:";

        public Server {
            new Checks()
                    .that(
                            url.startsWith(START) && url.length() > START.length(),
                            "url",
                            "this is not the JDBC URL of a PostgreSQL; write jdbc:postgresql://HOST:5432/DATABASE")
                    .that(
                            !url.startsWith(START) || !url.replaceFirst("(?s)\\?.*", "").contains("@"),
                            "url",
                            "a user or password before the host is not what the driver reads, and it would show them;"
                                    + " write ledger.user and ledger.password")
                    .done();
        }

        @Override
        public String toString() {
            return "Server[" + url.replaceFirst("\\?.*", "?…") + "]";
        }
    }

    /// An embedded PostgreSQL, kept over restarts.
    ///
    /// @param dataDir its folder, made where it is missing
    record Embedded(Path dataDir) implements LedgerPlace {}
}

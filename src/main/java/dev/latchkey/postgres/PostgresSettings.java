package dev.latchkey.postgres;

import dev.latchkey.encryption.KeyRing;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How the ledger is reached.
///
/// @param url a JDBC URL; what it names itself goes before what is set here
/// @param user null: as the URL says
/// @param password asked for at each new connection, so that a changed one holds from then on; null: as the URL says
/// @param connections how many in all
/// @param writer how claims and records are written
/// @param durability what the server must promise
/// @param migrate bring the schema up to date at start; else only check it
/// @param encryption the keys
public record PostgresSettings(
        String url,
        @Nullable String user,
        @Nullable Supplier<String> password,
        int connections,
        Writer writer,
        Durability durability,
        boolean migrate,
        Encryption encryption) {

    /// Keys.
    ///
    /// @param ring empty: nothing is encrypted
    /// @param retired ids of keys that are given up, with what they encrypted
    public record Encryption(KeyRing ring, Set<String> retired) {

        /// Without keys.
        public static final Encryption NONE = new Encryption(KeyRing.NONE, Set.of());
    }

    /// How claims and records are written.
    public enum Writer {
        /// Those of many calls in one transaction.
        BATCHED,
        /// Each in a transaction of its own.
        PLAIN
    }

    /// What an acknowledged commit is worth.
    public enum Durability {
        /// It survives a crash of the server.
        LOCAL,
        /// It survives the loss of the server: a synchronous standby has it.
        REPLICATED,
        /// It may be lost. For development.
        UNSAFE
    }

    /// The URL without what may be secret in it.
    @Override
    public String toString() {
        return "PostgresSettings[" + url.replaceFirst("\\?.*", "?…") + ", " + connections + ", " + writer + ", "
                + durability + "]";
    }
}

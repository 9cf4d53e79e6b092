package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.postgres.PostgresSettings.Durability;
import dev.latchkey.postgres.PostgresSettings.Writer;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.testing.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A ledger on a database of its own.
///
/// @param database for looking and making trouble past the ledger
/// @param ledger the ledger
record TestLedger(TestPostgres database, PostgresLedger ledger) implements AutoCloseable {

    /// The real clocks; nobody waits by them here.
    static final Clocks CLOCKS = new Clocks() {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration time) {
            throw new UnsupportedOperationException();
        }
    };

    static TestLedger open() {
        TestPostgres database = TestPostgres.create();
        return new TestLedger(database, PostgresLedger.open(settings(database), CLOCKS));
    }

    static PostgresSettings settings(TestPostgres database) {
        return settings(database.url(), database, true);
    }

    static PostgresSettings settings(TestPostgres database, Writer writer) {
        return settings(database.url(), database, true, writer);
    }

    static PostgresSettings settings(String url, TestPostgres database, boolean migrate) {
        return settings(url, database, migrate, Writer.BATCHED);
    }

    private static PostgresSettings settings(String url, TestPostgres database, boolean migrate, Writer writer) {
        return new PostgresSettings(url, database.user(), database::password, 8, writer, Durability.LOCAL, migrate,
                PostgresSettings.Encryption.NONE);
    }

    /// Makes one entry older, with its response.
    void age(EntryId id, Duration by) {
        String times = Stream.of(
                "claimed_at", "first_forward_at", "lease_until", "in_doubt_since", "recorded_at", "expires_at")
                .map(column -> column + " = " + column + earlier(by))
                .collect(Collectors.joining(", "));
        database.run("update entry set " + times + " where entry_id = '" + id + "'; "
                + "update response set expires_at = expires_at" + earlier(by) + " where entry_id = '" + id + "'");
    }

    private static String earlier(Duration by) {
        return " - " + by.toMillis() + " * interval '1 millisecond'";
    }

    @Override
    public void close() {
        ledger.close();
        database.close();
    }
}

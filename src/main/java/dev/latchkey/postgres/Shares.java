package dev.latchkey.postgres;

import dev.latchkey.postgres.PostgresSettings.Writer;

/// Who gets how many of the ledger's connections.
///
/// @param pool for everything that goes alone
/// @param writers lanes that claims and records are written by; 0: each goes alone
record Shares(int pool, int writers) {

    /// More lanes than this gain nothing on a slow disk either.
    private static final int MOST_WRITERS = 8;

    static Shares of(int connections, Writer writer) {
        // One besides is for reading; with fewer than three there would be none left to go alone.
        int writers = Math.min(MOST_WRITERS, (connections - 1) / 2);
        return writer == Writer.PLAIN || writers < 1
                ? new Shares(connections, 0)
                : new Shares(connections - writers - 1, writers);
    }

    /// Queries that may be under way on the lanes' connections: one, and a second past one that is stuck, where it leaves a
    /// connection to write by.
    int readers() {
        return writers > 1 ? 2 : 1;
    }

    boolean batched() {
        return writers > 0;
    }
}

package dev.latchkey.bench.table;

import dev.latchkey.bench.BenchServer;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.postgres.PostgresLedger;
import dev.latchkey.postgres.PostgresSettings;
import dev.latchkey.postgres.PostgresSettings.Durability;

/// Ledgers of the harness's own, without a gateway before them.
final class Ledgers {

    private static final int CONNECTIONS = 8;

    private Ledgers() {}

    static PostgresLedger open(BenchServer server, String database, Durability durability) {
        return PostgresLedger.open(
                new PostgresSettings(
                        server.url(database), null, null, CONNECTIONS, PostgresSettings.Writer.BATCHED, durability,
                        true,
                        PostgresSettings.Encryption.NONE),
                new SystemClocks());
    }
}

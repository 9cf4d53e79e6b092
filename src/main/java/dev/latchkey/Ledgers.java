package dev.latchkey;

import dev.latchkey.config.LedgerPlace;
import dev.latchkey.config.SecretText;
import dev.latchkey.config.Settings;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.postgres.LedgerServer;
import dev.latchkey.postgres.PostgresLedger;
import dev.latchkey.postgres.PostgresSettings;

/// Makes ledgers of settings.
final class Ledgers {

    private Ledgers() {}

    /// Brings the ledger's schema up to date.
    static void migrate(Settings settings) {
        switch (settings.ledger().place()) {
            case LedgerPlace.Server server -> PostgresLedger.migrate(settings(settings, server), new SystemClocks());
            case LedgerPlace.Embedded embedded -> {
                try (LedgerServer server = LedgerServer.start(embedded.dataDir())) {
                    PostgresLedger.migrate(settings(settings, at(server)), new SystemClocks());
                }
            }
        }
    }

    /// Where a server of our own is reached.
    static LedgerPlace.Server at(LedgerServer server) {
        return new LedgerPlace.Server(server.url(), server.user(), SecretText.of(server.password()));
    }

    /// The ledger at a place, as the settings want it.
    static PostgresSettings settings(Settings settings, LedgerPlace.Server place) {
        SecretText password = place.password();
        PostgresSettings.Durability durability = switch (settings.ledger().durability()) {
            case LOCAL -> PostgresSettings.Durability.LOCAL;
            case REPLICATED -> PostgresSettings.Durability.REPLICATED;
            case UNSAFE -> PostgresSettings.Durability.UNSAFE;
        };
        PostgresSettings.Writer writer = switch (settings.ledger().writer()) {
            case BATCHED -> PostgresSettings.Writer.BATCHED;
            case PLAIN -> PostgresSettings.Writer.PLAIN;
        };
        return new PostgresSettings(
                place.url(), place.user(), password == null ? null : password::get, settings.ledger().connections(),
                writer, durability, settings.ledger().migrate(), Keys.encryption(settings));
    }
}

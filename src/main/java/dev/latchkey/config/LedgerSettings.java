package dev.latchkey.config;

import java.time.Duration;

/// `ledger`.
///
/// @param place the server, or the folder of an embedded one
/// @param migrate bring the schema up to date at start; else only check it
/// @param connections in all, writers included
/// @param writer how claims and records are written
/// @param durability what the server must promise
/// @param leaseMargin a lease is the route's timeout and this
/// @param settleDelay after a lease's end, before *not executed* is believed
/// @param encryption the keys that it is encrypted with
public record LedgerSettings(
        LedgerPlace place,
        boolean migrate,
        int connections,
        Writer writer,
        Durability durability,
        Duration leaseMargin,
        Duration settleDelay,
        EncryptionSettings encryption) {

    public LedgerSettings {
        new Checks()
                .between(connections, 1, 1000, "connections")
                .that(
                        durability != Durability.REPLICATED || place instanceof LedgerPlace.Server,
                        "durability",
                        "an embedded PostgreSQL has no standby; write local, or name a server by ledger.url")
                .that(
                        leaseMargin.compareTo(Duration.ofSeconds(2)) >= 0,
                        "lease-margin",
                        DurationText.format(leaseMargin) + " is so short that a forward could outlive its lease; write"
                                + " at least 2s")
                .atLeast(settleDelay, Duration.ZERO, "settle-delay")
                .done();
    }

    /// Every default.
    public static LedgerSettings at(LedgerPlace place) {
        return new LedgerSettings(
                place, true, 8, Writer.BATCHED, Durability.LOCAL, Duration.ofSeconds(10), Duration.ofMinutes(5),
                EncryptionSettings.none());
    }
}

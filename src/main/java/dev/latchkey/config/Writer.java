package dev.latchkey.config;

/// How the ledger writes claims and records.
public enum Writer {
    /// Those of many calls in one transaction: less work for the database and more calls a second.
    BATCHED,
    /// Each in a transaction of its own: for engines that only speak PostgreSQL's language, and to compare.
    PLAIN
}

package dev.latchkey.config;

/// What the ledger's PostgreSQL must promise before the gateway starts.
public enum Durability {
    /// `fsync` and `synchronous_commit` on.
    LOCAL,
    /// That, and never a claim without a synchronous standby.
    REPLICATED,
    /// Either may be off: for development only.
    UNSAFE
}

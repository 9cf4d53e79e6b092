package dev.latchkey.config;

/// How much a line of the log must matter to be written.
public enum LogLevel {
    /// All: each call with a key, and each refusal, leaves a line.
    INFO,
    /// What somebody should look at.
    WARN,
    /// Failures of the gateway itself.
    ERROR
}

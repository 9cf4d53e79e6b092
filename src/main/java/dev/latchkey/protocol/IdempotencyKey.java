package dev.latchkey.protocol;

/// The caller's key (placeholder until its own change lands).
public record IdempotencyKey(String text) {}

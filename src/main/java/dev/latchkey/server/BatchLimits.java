package dev.latchkey.server;

/// What batches may take up.
///
/// @param lines under way of one batch
/// @param allLines under way of all batches
/// @param bytes that one batch holds: its lines under way, and its answers until they are sent
public record BatchLimits(int lines, int allLines, long bytes) {}

package dev.latchkey.torture;

import org.jspecify.annotations.Nullable;

/// How the ledger says that a key ended.
///
/// @param state `claimed`, `recorded`, `released` or `in-doubt`
/// @param status the recorded status; null: not recorded, or not known
/// @param attempts claims of its generation; more than one: it was forwarded again
public record Ending(String state, @Nullable Integer status, int attempts) {}

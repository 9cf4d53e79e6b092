package dev.latchkey.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the ledger held at one moment.
///
/// @param entry the entry
/// @param response its recorded response; null where none is kept
/// @param now the moment, by the ledger's clock
public record Found(Entry entry, @Nullable RecordedResponse response, Instant now) {}

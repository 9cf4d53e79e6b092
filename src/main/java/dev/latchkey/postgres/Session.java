package dev.latchkey.postgres;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/// A checked connection to a primary.
///
/// @param lineage which history it writes; null: it does not tell
/// @param pooled whether a pooler is between
record Session(Connection connection, @Nullable Lineage lineage, boolean pooled) {}

package dev.latchkey.gateway;

import dev.latchkey.protocol.Found;
import org.jspecify.annotations.Nullable;

/// How one turn of a call ended.
///
/// @param <W> what a won claim comes to
sealed interface Turn<W> {

    /// The call has its answer, or its claim: there are no more turns.
    sealed interface Last<W> extends Turn<W> {}

    /// This is told.
    record Done<W>(Answer answer) implements Last<W> {}

    /// The claim was won.
    record Won<W>(W won) implements Last<W> {}

    /// The ledger holds this: decide anew.
    record Saw<W>(@Nullable Found found) implements Turn<W> {}

    /// There is no entry, or none any more: claim.
    record Again<W>() implements Turn<W> {}
}

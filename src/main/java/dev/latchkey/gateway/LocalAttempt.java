package dev.latchkey.gateway;

import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// An attempt that this replica makes, for calls that attach to it. One future for each attempt, never for an entry: else a
/// call with another body could be given its response (G11).
///
/// @param id the entry
/// @param attempt its attempt id
/// @param fingerprint what it forwards
/// @param recording when its forward is over: until when anybody waits for the ledger to record it
/// @param end how it ended
/// @param looksBegun how often it began to ask the ledger what it now holds
record LocalAttempt(
        EntryId id, long attempt, Fingerprint fingerprint, CompletableFuture<Patience> recording,
        CompletableFuture<End> end, AtomicInteger looksBegun) {

    LocalAttempt(EntryId id, long attempt, Fingerprint fingerprint) {
        this(id, attempt, fingerprint, new CompletableFuture<>(), new CompletableFuture<>(), new AtomicInteger());
    }

    /// What it tells in the end is what it sees from now on: not for those who come later, without a look of their own.
    void look() {
        looksBegun.incrementAndGet();
    }

    /// How a local attempt ended, for those who waited.
    sealed interface End {
        /// Nothing is known: look in the ledger.
        record LookAgain() implements End {}

        /// The claim did not win; the ledger holds this.
        record Lost(Found found) implements End {}

        /// The attempt is over; the ledger holds this now.
        record Settled(@Nullable Found found) implements End {}

        /// What its caller was told is told to all: the key was released, or the claim could not be made.
        record Told(Answer answer) implements End {}
    }
}

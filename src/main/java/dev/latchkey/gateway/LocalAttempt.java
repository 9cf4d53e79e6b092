package dev.latchkey.gateway;

import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// An attempt that this replica makes, for calls that attach to it. One future for each attempt, never for an entry: else a
/// call with another body could be given its response (G11).
///
/// @param id the entry
/// @param attempt its attempt id
/// @param fingerprint what it forwards
/// @param recording once its forward is over: until when anybody waits for the ledger to record it; null before
/// @param end how it ended
/// @param looksBegun how often it began to ask the ledger what it now holds
record LocalAttempt(
        EntryId id, long attempt, Fingerprint fingerprint, AtomicReference<@Nullable Patience> recording,
        CompletableFuture<End> end, AtomicInteger looksBegun) {

    LocalAttempt(EntryId id, long attempt, Fingerprint fingerprint) {
        this(id, attempt, fingerprint, new AtomicReference<>(), new CompletableFuture<>(), new AtomicInteger());
    }

    /// What it tells in the end is what it sees from now on: not for those who come later, without a look of their own.
    void look() {
        looksBegun.incrementAndGet();
    }

    /// Waits for what comes of it: as long as the caller does, and not longer than anybody does for the ledger to record it.
    /// A recording that has not begun cannot be given up sooner than a whole silence from now.
    <T> T await(CompletableFuture<T> what, Patience own)
            throws InterruptedException, ExecutionException, TimeoutException {
        while (true) {
            Patience begun = recording.get();
            Patience silence = begun == null ? Patience.of(own.clocks(), Patience.OF_SILENCE) : begun;
            try {
                return own.clocks().await(what, Patience.left(own, silence));
            } catch (TimeoutException e) {
                if (own.isSpent() || (begun != null && begun.isSpent())) {
                    throw e;
                }
            }
        }
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

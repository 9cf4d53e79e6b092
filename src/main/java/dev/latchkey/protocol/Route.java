package dev.latchkey.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A route's policy: all that the protocol needs to know of it.
///
/// @param name stable name of the route
/// @param timeout how long a caller waits for a complete response
/// @param leaseMargin the lease is the timeout and this
/// @param deduplicates how long the downstream honours a key, from its first forward; null: it does not
/// @param resend whether a key in doubt is forwarded again without the downstream deduplicating (at least once, by choice)
/// @param lookup whether the gateway asks the downstream what became of a key in doubt
/// @param corrections whether a changed request may follow a rejection under the same key
/// @param sentAs how the route sends the downstream key at present
/// @param statuses what statuses mean
/// @param retention how long things are kept
/// @param releasedOnExpiry whether a claim is released at the end of its lease instead of being in doubt: only where repeating
///     harms nobody
public record Route(
        String name,
        Duration timeout,
        Duration leaseMargin,
        @Nullable Duration deduplicates,
        boolean resend,
        boolean lookup,
        boolean corrections,
        SentAs sentAs,
        Statuses statuses,
        Retention retention,
        boolean releasedOnExpiry) {

    private static final SentAs NOTHING = SentAs.of("", "", "", "");

    /// A route whose claims a downstream answers.
    public Route(
            String name, Duration timeout, Duration leaseMargin, @Nullable Duration deduplicates, boolean resend,
            boolean lookup, boolean corrections, SentAs sentAs, Statuses statuses, Retention retention) {
        this(
                name, timeout, leaseMargin, deduplicates, resend, lookup, corrections, sentAs, statuses, retention,
                false);
    }

    /// The policy of a claim that its caller holds: nothing is forwarded under it, so nothing deduplicates and nobody can be
    /// asked.
    ///
    /// @param lease how long the claim holds
    public static Route ofHeldClaim(
            String name, Duration lease, boolean releasedOnExpiry, Retention retention) {
        return new Route(
                name, lease, Duration.ZERO, null, false, false, false, NOTHING,
                Statuses.usual(), retention, releasedOnExpiry);
    }

    /// How long a claim holds, by the ledger's clock.
    public Duration lease() {
        return timeout.plus(leaseMargin);
    }

    /// How long after its claim was asked for an attempt may still send (G6). Half the margin leaves the other half for a
    /// response to come before the lease ends; never longer than the timeout.
    public Duration sendWindow() {
        Duration half = leaseMargin.dividedBy(2);
        return half.compareTo(timeout) < 0 ? half : timeout;
    }
}

package dev.latchkey.protocol;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One try to win the right to forward.
///
/// @param ask what for
/// @param attempt random; fences what follows
/// @param grounds what it builds on
public record Claim(Ask ask, long attempt, Grounds grounds) {

    /// The entry after this claim, where its conditions hold; empty where it loses. The ledger's statements say the same.
    ///
    /// @param before what the ledger holds; null: no entry
    public Optional<Entry> applyTo(@Nullable Entry before, Instant now) {
        return switch (grounds) {
            case Grounds.NoEntry none -> before == null ? Optional.of(fresh(0, now)) : Optional.empty();
            case Grounds.NewGeneration next -> Optional.ofNullable(before)
                    .filter(e -> e.attempt() == next.seen() && mayStartAnew(e, now))
                    .map(e -> fresh(e.correction() + (e.state() == State.RECORDED && e.rejection() ? 1 : 0), now));
            case Grounds.Reforward again -> Optional.ofNullable(before)
                    .filter(e -> e.attempt() == again.seen() && mayForwardAgain(e, now))
                    .map(e -> again(e, now));
        };
    }

    private boolean mayStartAnew(Entry e, Instant now) {
        return e.state() == State.RELEASED || e.pastRetention(now) || corrects(e);
    }

    private boolean corrects(Entry e) {
        return e.state() == State.RECORDED && e.rejection() && !e.erased() && ask.route().corrections()
                && !ask.isFor(e.fingerprint())
                && e.route().equals(ask.route().name()) && e.method().equals(ask.method());
    }

    private boolean mayForwardAgain(Entry e, Instant now) {
        Route route = ask.route();
        return e.state() == State.IN_DOUBT && ask.isFor(e.fingerprint())
                && e.sentAs().equals(route.sentAs()) && (route.resend() || e.windowOpen(route, now));
    }

    private Entry fresh(int correction, Instant now) {
        Route route = ask.route();
        return new Entry(
                ask.id(), ask.client(), ask.key().text(), route.name(), ask.method(), ask.target(), ask.fingerprint(),
                correction, route.sentAs(), State.CLAIMED, attempt, 1, now, now, now.plus(route.lease()), null, null,
                null,
                null, null, false, null, false, route.releasedOnExpiry());
    }

    private Entry again(Entry e, Instant now) {
        return new Entry(
                e.id(), e.client(), e.key(), e.route(), e.method(), e.target(), e.fingerprint(), e.correction(),
                e.sentAs(),
                State.CLAIMED, attempt, e.attempts() + 1, now, e.firstForwardAt(), now.plus(ask.route().lease()),
                e.inDoubtSince(), e.cause(), null, null, null, false, null, e.erased(),
                e.releasedOnExpiry());
    }
}

package dev.latchkey.gateway;

import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The arrows of an entry's life, as the design draws them, and what each keeps: written down again here, so that the
/// program is not held against itself. Of one run.
final class Arrows {

    /// Which operations lead where. A state is `-` where there is no entry.
    private static final Map<String, Set<String>> DRAWN = Map.ofEntries(
            Map.entry("- CLAIMED", Set.of("claim")),
            Map.entry("- RECORDED", Set.of("put back")),
            Map.entry("CLAIMED RECORDED", Set.of("Record")),
            Map.entry("CLAIMED RELEASED", Set.of("Release")),
            Map.entry("CLAIMED IN_DOUBT", Set.of("Doubt", "LeaseOver", "sweep")),
            Map.entry("IN_DOUBT CLAIMED", Set.of("claim")),
            Map.entry("IN_DOUBT RECORDED", Set.of("Record", "Executed")),
            Map.entry("IN_DOUBT RELEASED", Set.of("Release", "NotExecuted")),
            Map.entry("RECORDED CLAIMED", Set.of("claim")),
            Map.entry("RECORDED RECORDED", Set.of("erase", "purge")),
            Map.entry("RECORDED -", Set.of("purge")),
            Map.entry("RELEASED CLAIMED", Set.of("claim")),
            Map.entry("RELEASED RECORDED", Set.of("Record")),
            Map.entry("RELEASED RELEASED", Set.of("erase")),
            Map.entry("RELEASED -", Set.of("purge")));

    private final Duration keepFreed;
    private final Map<String, Freed> freed = new HashMap<>();

    /// What must be remembered of a key, and until when.
    private record Freed(int correction, Instant until) {}

    Arrows(Duration keepFreed) {
        this.keepFreed = keepFreed;
    }

    /// What is wrong with a change; null: nothing.
    @Nullable
    String wrong(@Nullable Entry before, @Nullable Entry after, String operation, Instant now) {
        String arrow = state(before) + " " + state(after);
        if (!DRAWN.getOrDefault(arrow, Set.of()).contains(operation)) {
            return "no such arrow: " + arrow;
        }
        if (after == null) {
            return gone(Objects.requireNonNull(before), now);
        }
        if (before == null) {
            return begun(after, now);
        }
        return after.state() == State.CLAIMED ? claimed(before, after, now) : settled(before, after, operation, now);
    }

    private static String state(@Nullable Entry entry) {
        return entry == null ? "-" : entry.state().name();
    }

    private @Nullable String gone(Entry before, Instant now) {
        if (before.state() == State.RECORDED && !before.rejection()) {
            return before.pastRetention(now) ? null : "purged before its retention ends";
        }
        Instant from = before.state() == State.RELEASED ? before.leaseUntil() : before.expiresAt();
        if (from == null || from.plus(keepFreed).isAfter(now)) {
            freed.put(before.id().toString(), new Freed(
                    before.correction() + (before.rejection() ? 1 : 0), now.plus(keepFreed)));
            return "purged while its correction number counts";
        }
        return null;
    }

    private @Nullable String begun(Entry after, Instant now) {
        Freed known = freed.get(after.id().toString());
        return known != null && known.until().isAfter(now) && after.correction() != known.correction()
                ? "the downstream key has changed"
                : null;
    }

    private static @Nullable String claimed(Entry before, Entry after, Instant now) {
        if (before.attempt() == after.attempt()) {
            return "a claim without an attempt of its own";
        }
        if (before.state() == State.IN_DOUBT) {
            boolean same = before.fingerprint().equals(after.fingerprint())
                    && before.correction() == after.correction()
                    && before.firstForwardAt().equals(after.firstForwardAt()) && after.attempts() > before.attempts()
                    && Objects.equals(before.inDoubtSince(), after.inDoubtSince());
            return same ? null : "a re-forward of something else";
        }
        boolean rejected = before.state() == State.RECORDED && before.rejection();
        boolean corrects = rejected && !before.fingerprint().equals(after.fingerprint());
        if (before.state() == State.RECORDED && !corrects && !before.pastRetention(now)) {
            return "claimed though it is recorded";
        }
        return after.correction() == before.correction() + (rejected ? 1 : 0) ? null : "a wrong correction number";
    }

    private static @Nullable String settled(Entry before, Entry after, String operation, Instant now) {
        if (before.inDoubtSince() != null && !before.inDoubtSince().equals(after.inDoubtSince())) {
            return "forgot since when it is in doubt";
        }
        if (after.rejection() && (after.inDoubtSince() != null || after.attempts() > 1)) {
            return "a rejection though it was in doubt";
        }
        boolean own = operation.equals("Executed");
        if (own == (before.attempt() == after.attempt())) {
            return "another attempt's id";
        }
        if (operation.equals("Release") && after.attempts() > 1) {
            return "a re-forward is released";
        }
        boolean byTime = operation.equals("LeaseOver") || operation.equals("sweep");
        return byTime && !before.leaseUntil().isBefore(now) ? "its lease is not over" : null;
    }
}

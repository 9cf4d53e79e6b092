package dev.latchkey.gateway;

import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the ledger held, when, of a few keys; written down at each write, and held against [Arrows].
final class Chronicle {

    private final MemoryLedger memory;
    private final Stage stage;
    private final Story story;
    private final Arrows arrows;
    private final Map<EntryId, String> keys = new HashMap<>();
    private final Map<String, List<Span>> spans = new HashMap<>();

    /// What a key was for a while.
    static final class Span {
        private final Duration from;
        private final @Nullable Found found;
        private final int epoch;
        private @Nullable Duration until;
        private boolean lost;

        private Span(Duration from, @Nullable Found found, int epoch) {
            this.from = from;
            this.found = found;
            this.epoch = epoch;
        }

        @Nullable
        Found found() {
            return found;
        }

        State state() {
            return found == null ? State.RELEASED : found.entry().state();
        }

        /// How often the key was forgotten before with its effect, as its retention says.
        int epoch() {
            return epoch;
        }

        /// Whether a failover made it undone.
        boolean lost() {
            return lost;
        }

        boolean within(Duration begin, Duration end) {
            return from.compareTo(end) <= 0 && (until == null || until.compareTo(begin) >= 0);
        }

        boolean replays(int status, Object body) {
            RecordedResponse response = found == null ? null : found.response();
            return found != null && response != null && state() == State.RECORDED
                    && Objects.equals(found.entry().status(), status) && Objects.equals(response.body(), body);
        }
    }

    Chronicle(MemoryLedger memory, Stage stage, Story story, Duration keepFreed, List<String> keys) {
        this.memory = memory;
        this.stage = stage;
        this.story = story;
        this.arrows = new Arrows(keepFreed);
        for (String key : keys) {
            this.keys.put(Replicas.id(key), key);
            spans.put(key, new ArrayList<>(List.of(new Span(Duration.ZERO, null, 0))));
        }
    }

    /// Looks at what a write has changed.
    void written(String operation) {
        keys.forEach((id, key) -> {
            Span last = now(key);
            Found found = memory.find(id);
            if (!same(last.found, found)) {
                String wrong = arrows.wrong(
                        last.found == null ? null : last.found.entry(), found == null ? null : found.entry(),
                        operation, memory.now());
                follow(key, last, found, operation);
                if (wrong != null) {
                    story.wrong(key + ": " + wrong + " by " + operation);
                }
            }
        });
    }

    private static boolean same(@Nullable Found one, @Nullable Found other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.entry().equals(other.entry()) && Objects.equals(one.response(), other.response());
    }

    private void follow(String key, Span last, @Nullable Found found, String operation) {
        boolean forgotten = last.found != null && last.state() == State.RECORDED && !last.found.entry().rejection()
                && (found == null || found.entry().state() == State.CLAIMED);
        Span next = new Span(stage.passed(), found, last.epoch + (forgotten ? 1 : 0));
        last.until = stage.passed();
        spans(key).add(next);
        story.note("  ledger: " + key + " " + text(last.found) + " -> " + text(found) + " by " + operation);
    }

    private static String text(@Nullable Found found) {
        if (found == null) {
            return "nothing";
        }
        Entry e = found.entry();
        return e.state() + (e.status() == null ? "" : " " + e.status()) + " #" + Long.toHexString(e.attempt() >>> 48)
                + (e.attempts() > 1 ? " forward " + e.attempts() : "")
                + (e.correction() > 0 ? " correction " + e.correction() : "") + (e.erased() ? " erased" : "")
                + (e.state() == State.RECORDED && found.response() == null ? " without response" : "");
    }

    /// The ledger has lost what was written since then.
    void undone(Duration since) {
        keys.forEach((id, key) -> {
            Found found = memory.find(id);
            if (!same(now(key).found, found)) {
                Span kept = spans(key).getFirst();
                for (Span span : spans(key)) {
                    span.lost |= span.from.compareTo(since) >= 0 && !same(span.found, found);
                    kept = same(span.found, found) ? span : kept;
                }
                now(key).until = stage.passed();
                spans(key).add(new Span(stage.passed(), found, kept.epoch));
                story.note("  ledger: " + key + " is " + text(found) + " again");
            }
        });
    }

    Span now(String key) {
        return spans(key).getLast();
    }

    List<Span> spans(String key) {
        return Objects.requireNonNull(spans.get(key));
    }

    /// What the key was at some time between.
    List<Span> between(String key, Duration begin, Duration end) {
        return spans(key).stream().filter(span -> span.within(begin, end)).toList();
    }
}

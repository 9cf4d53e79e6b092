package dev.latchkey.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Remembers every answer that callers got, and says which of them are not true: of one another, of the effects, of how the
/// ledger says that the keys ended. Safe for any number of threads.
///
/// Judges keys of one client on routes that do not resend and do not let keys expire meanwhile, and where no operator gives
/// a wrong verdict.
public final class Witness {

    private final Map<String, Story> stories = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> kinds = new ConcurrentHashMap<>();

    /// What became of one key's calls.
    private static final class Story {
        private final List<Told> told = new ArrayList<>();
        private int unanswered;

        private synchronized void add(Told answer) {
            told.add(answer);
        }

        private synchronized void addUnanswered() {
            unanswered++;
        }

        private synchronized List<Told> told() {
            return List.copyOf(told);
        }

        private synchronized int unanswered() {
            return unanswered;
        }
    }

    /// A caller heard this.
    public void hears(Told told) {
        story(told.key()).add(told);
        count(told.kind());
    }

    /// A caller's connection broke, or its patience did, before an answer came.
    public void hearsNothing(String key) {
        story(key).addUnanswered();
        count("no answer");
    }

    private Story story(String key) {
        return stories.computeIfAbsent(key, same -> new Story());
    }

    private void count(String kind) {
        kinds.computeIfAbsent(kind, same -> new LongAdder()).increment();
    }

    /// How often each kind of answer was heard.
    public Map<String, Long> kinds() {
        Map<String, Long> sum = new java.util.TreeMap<>();
        kinds.forEach((kind, times) -> sum.put(kind, times.sum()));
        return sum;
    }

    /// Every key that was called.
    public List<String> keys() {
        return List.copyOf(stories.keySet());
    }

    /// What a caller was told under that key, in no order.
    public List<Told> told(String key) {
        Story story = stories.get(key);
        return story == null ? List.of() : story.told();
    }

    /// What is not true, one sentence each; empty: nothing. To be asked once all calls are over and every lease has ended.
    ///
    /// @param effects how often the effect of a key happened
    /// @param endings how the ledger says that the keys ended; a key that is not in it has no entry
    public List<String> audit(ToIntFunction<String> effects, Map<String, Ending> endings) {
        List<String> wrong = new ArrayList<>();
        stories.forEach((key, story) -> {
            List<Told> told = story.told();
            Finding finding = new Finding(key, told, wrong);
            contradictions(told, finding);
            effects(told, story.unanswered(), effects.applyAsInt(key), finding);
            ending(told, effects.applyAsInt(key), endings.get(key), finding);
        });
        return List.copyOf(wrong);
    }

    private record Finding(String key, List<Told> told, List<String> wrong) {
        void add(String what) {
            wrong.add(key + ": " + what + "; it was told " + told.stream().map(Told::kind).toList());
        }
    }

    /// Only what was called recorded binds (contract §6): a success for good, a rejection until a changed request follows.
    private static void contradictions(List<Told> told, Finding finding) {
        boolean oneRequest = told.stream().map(Told::request).distinct().count() < 2;
        for (Told earlier : told) {
            boolean binds = earlier.success() || (earlier.rejection() && oneRequest);
            if (!binds) {
                continue;
            }
            for (Told later : told) {
                boolean same = later.request().equals(earlier.request());
                if (later.recorded() && (!same || !alike(earlier, later))) {
                    finding.add("recorded answers differ: " + earlier.kind() + ", " + later.kind());
                } else if (later.asked() - earlier.heard() > 0 && !allowedAfter(later, same)) {
                    finding.add("after " + earlier.kind() + " a call was told " + later.kind());
                }
            }
        }
        if (oneRequest && told.stream().filter(each -> each.recorded() && !each.replayed()).count() > 1) {
            finding.add("more than one caller was told that its own forward is recorded");
        }
    }

    private static boolean alike(Told one, Told other) {
        return one.status() == other.status() && one.body().equals(other.body());
    }

    /// After a recorded answer: the same, as a replay; that it is gone; a mismatch to another request; or nothing about it.
    private static boolean allowedAfter(Told later, boolean sameRequest) {
        return later.silent() || later.problem().equals("response-gone")
                || (sameRequest ? later.recorded() && later.replayed() : later.problem().equals("key-reused"));
    }

    private static void effects(List<Told> told, int unanswered, int effects, Finding finding) {
        if (effects > 1) {
            finding.add("took effect " + effects + " times");
        }
        if (effects == 0 && told.stream().anyMatch(Told::success)) {
            finding.add("was called recorded, and took no effect");
        }
        boolean onlyRefused = told.stream().allMatch(each -> each.rejection() || each.forwarded().equals("no"));
        if (effects > 0 && unanswered == 0 && onlyRefused) {
            finding.add("took effect, and every caller was told that it did not");
        }
    }

    private static void ending(List<Told> told, int effects, @Nullable Ending ending, Finding finding) {
        String state = ending == null ? "none" : ending.state();
        Integer status = ending == null ? null : ending.status();
        for (Told each : told) {
            boolean held = state.equals("recorded") && (status == null || status == each.status());
            if (each.success() && !held) {
                finding.add("was called recorded, and the ledger has it as " + state + " " + status);
            }
        }
        switch (state) {
            case "claimed" -> finding.add("is still claimed");
            case "recorded" -> {
                if (status != null && status < 400 && effects == 0) {
                    finding.add("is recorded with " + status + ", and took no effect");
                }
            }
            case "released", "none" -> {
                if (effects > 0) {
                    finding.add("is free, and took effect");
                }
            }
            default -> {
                // In doubt: it may or may not have.
            }
        }
    }
}

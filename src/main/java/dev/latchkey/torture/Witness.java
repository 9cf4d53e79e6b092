package dev.latchkey.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;

/// Remembers every answer that callers got, and says which of them are not true: of one another, of the effects, of how the
/// ledger says that the keys ended. Safe for any number of threads.
///
/// Judges keys of one client that nobody called before, on routes that do not resend and do not let keys expire meanwhile,
/// where no operator gives a wrong verdict and the downstream calls nothing a success that did not take effect.
public final class Witness {

    private final Map<String, Story> stories = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> kinds = new ConcurrentHashMap<>();

    /// What is not true of one key.
    ///
    /// @param key which
    /// @param what in words
    /// @param told kinds of the answers that its callers got, in the order that they heard them
    public record Finding(String key, String what, List<String> told) {

        public Finding {
            told = List.copyOf(told);
        }

        @Override
        public String toString() {
            return key + ": " + what + "; its callers were told " + told;
        }
    }

    private static final class Story {
        private final List<Told> told = new ArrayList<>();
        private final List<Unanswered> unanswered = new ArrayList<>();

        private synchronized void add(Told answer) {
            told.add(answer);
        }

        private synchronized void add(Unanswered call) {
            unanswered.add(call);
        }

        private synchronized List<Told> told() {
            return List.copyOf(told);
        }

        private synchronized Audit audit(int effects, Ending ending) {
            return new Audit(told, unanswered, effects, ending);
        }
    }

    /// A caller heard this.
    public void hears(Told told) {
        story(told.key()).add(told);
        count(told.kind());
    }

    /// A caller's connection broke, or its patience did, before an answer came.
    ///
    /// @param request which of the requests under that key: its body
    /// @param asked monotonic nanoseconds when the call began
    public void hearsNothing(String key, String request, long asked) {
        story(key).add(new Unanswered(request, asked));
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
        Map<String, Long> sum = new TreeMap<>();
        kinds.forEach((kind, times) -> sum.put(kind, times.sum()));
        return sum;
    }

    /// Every key that was called.
    public List<String> keys() {
        return List.copyOf(stories.keySet());
    }

    /// What callers were told under that key, in the order that they heard it.
    public List<Told> told(String key) {
        Story story = stories.get(key);
        return story == null ? List.of() : story.told();
    }

    /// What is not true, one sentence each; empty: nothing. To be asked once all calls are over and every lease has ended.
    ///
    /// @param effects how often the effect of a key happened
    /// @param endings how the ledger says that the keys ended; a key that is not in it has no entry
    public List<String> audit(ToIntFunction<String> effects, Map<String, Ending> endings) {
        return findings(effects, endings).stream().map(Finding::toString).toList();
    }

    /// The same, each with what it is found in.
    public List<Finding> findings(ToIntFunction<String> effects, Map<String, Ending> endings) {
        List<Finding> all = new ArrayList<>();
        stories.forEach((key, story) -> {
            Ending ending = endings.getOrDefault(key, Ending.NONE);
            story.audit(effects.applyAsInt(key), ending).findings().forEach(what -> all.add(new Finding(
                    key, what, story.told().stream().map(Told::kind).toList())));
        });
        return List.copyOf(all);
    }
}

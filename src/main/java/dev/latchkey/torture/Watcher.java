package dev.latchkey.torture;

import java.time.Duration;
import java.util.Map;

/// Is shown how a torture gets on.
public interface Watcher {

    /// Once a second, while there is load.
    ///
    /// @param keys how many have had all their calls
    /// @param answers how often each kind was heard
    void ticks(Duration elapsed, int keys, Map<String, Long> answers);

    /// What it does now, in a sentence.
    void says(String sentence);
}

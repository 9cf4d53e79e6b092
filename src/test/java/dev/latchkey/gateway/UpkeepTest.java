package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.testing.Said;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UpkeepTest {

    @RegisterExtension
    private final Said said = Said.by(Upkeep.class);

    /// Of a task that fails: want of memory, or a class that is missing, fails others than it too.
    private record Failing(Throwable failure, AtomicInteger rounds) implements Upkeep.Task {

        @Override
        public LogEvent event() {
            return LogEvent.PURGED;
        }

        @Override
        public int runOnce() {
            rounds.incrementAndGet();
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }
    }

    @Test
    void whatFailsIsTriedAgainInTheNextRoundAndKeepsNoOtherTaskFromIts() {
        List<Failing> tasks = List.of(
                new Failing(new IllegalStateException("a fault of ours"), new AtomicInteger()),
                new Failing(new OutOfMemoryError("not really"), new AtomicInteger()),
                new Failing(new LedgerUnavailable("away", false, null), new AtomicInteger()));

        try (Upkeep _ = Upkeep.start(List.copyOf(tasks), Duration.ofMillis(1), new SystemClocks())) {
            await().until(() -> tasks.stream().allMatch(task -> task.rounds().get() >= 2));
        }

        assertThat(said.lines()).extracting(line -> line.getKeyValuePairs().toString())
                .anyMatch(line -> line.contains("upkeep-failed") && line.contains("IllegalStateException"))
                .anyMatch(line -> line.contains("upkeep-failed") && line.contains("OutOfMemoryError"))
                .noneMatch(line -> line.contains("LedgerUnavailable"));
    }
}

package dev.latchkey.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetTest {

    @Test
    void delaysEndInTimeAndAfterTheTimeoutAndAfterTheLease() {
        assertThat(target(Duration.ofSeconds(2), Duration.ofSeconds(12), true).mix(8).faults())
                .contains("status=500", "status=429", "status=422", "drop-before", "drop-after")
                .endsWith("delay=1000ms", "delay=6500ms", "delay=13000ms");
    }

    @Test
    void noDelayIsLongerThanASandboxTakes() {
        assertThat(target(Duration.ofMinutes(11), Duration.ofMinutes(12), true).mix(8).faults())
                .contains("delay=330000ms").noneMatch(fault -> fault.equals("delay=690000ms"));
    }

    @Test
    void requestsAreChangedOnlyWhereThatMakesAnother() {
        assertThat(target(Duration.ofSeconds(2), Duration.ofSeconds(12), true).mix(8).changed()).isPositive();
        assertThat(target(Duration.ofSeconds(2), Duration.ofSeconds(12), false).mix(8).changed()).isZero();
    }

    @Test
    void requestsOfAKeyDifferAndAreNoOtherKeys() {
        assertThat(Load.requests("k")).doesNotHaveDuplicates().hasSize(2)
                .doesNotContainAnyElementsOf(Load.requests("l"));
    }

    private static Target target(Duration timeout, Duration lease, boolean changes) {
        return new Target(
                List.of(), "mail", "/mail", URI.create("http://s"), "open", Target.Counting.BODY, timeout, lease,
                changes);
    }
}

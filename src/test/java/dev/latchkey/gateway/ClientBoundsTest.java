package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClientBoundsTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private final Clocks clocks = new Clocks() {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void sleep(Duration time) {
            nanos.addAndGet(time.toNanos());
        }
    };

    private final ClientBounds bounds = new ClientBounds(
            new ClientBounds.Bound(2, 4), Map.of("big", new ClientBounds.Bound(3, 10), "free", free()), clocks);

    private static ClientBounds.Bound free() {
        return new ClientBounds.Bound(9, null);
    }

    private int passed(String client, int tries) {
        int passed = 0;
        for (int i = 0; i < tries; i++) {
            passed += bounds.pass(client) == null ? 1 : 0;
        }
        return passed;
    }

    @Test
    void secondsWorthIsLetInAtOnceAndThenOneAfterTheOther() {
        assertThat(passed("a", 20)).isEqualTo(4);
        assertThat(bounds.pass("a")).isEqualTo(Duration.ofMillis(250));
        nanos.addAndGet(Duration.ofMillis(249).toNanos());
        assertThat(passed("a", 20)).isZero();
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(passed("a", 20)).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(60).toNanos());
        assertThat(passed("a", 20)).isEqualTo(4);
    }

    @Test
    void eachClientHasItsOwn() {
        assertThat(passed("a", 20)).isEqualTo(4);
        assertThat(passed("b", 20)).isEqualTo(4);
        assertThat(passed("big", 20)).isEqualTo(10);
        assertThat(passed("free", 1_000)).isEqualTo(1_000);
    }

    @Test
    void placesAreGivenBack() throws Exception {
        assertThat(bounds.enter("a")).isTrue();
        assertThat(bounds.enter("a")).isTrue();
        assertThat(bounds.enter("a")).isFalse();
        assertThat(bounds.enter("b")).isTrue();
        bounds.leave("a");
        assertThat(bounds.enter("a")).isTrue();
    }

    @Test
    void clientsOfLongAgoAreForgotten() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            String client = "client-" + i;
            bounds.pass(client);
            bounds.enter(client);
            bounds.leave(client);
        }
        assertThat(bounds.remembered()).isEqualTo(10_000);
        clocks.sleep(Duration.ofSeconds(3));
        // What is over goes in portions.
        long left = bounds.remembered();
        for (long before = left + 1; left < before;) {
            before = left;
            left = bounds.remembered();
        }
        assertThat(left).isZero();
    }
}

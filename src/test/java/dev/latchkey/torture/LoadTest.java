package dev.latchkey.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.Clocks;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoadTest {

    private static final int KEYS = 400;
    private static final Mix MIX = Mix.calm().withFaults(30, "status=500", "drop-after").withCallers(8);

    private final Witness witness = new Witness();
    private final Map<String, List<String>> asked = new ConcurrentHashMap<>();

    @Test
    void sameSeedAsksTheSameOfEachKey() throws InterruptedException {
        assertThat(asked(7)).isEqualTo(asked(7)).isNotEqualTo(asked(8));
    }

    @Test
    void keysOfTwoRunsDiffer() throws InterruptedException {
        load(7, 1).run(keys -> keys < KEYS);
        load(7, 2).run(keys -> keys < KEYS);
        assertThat(witness.keys()).hasSize(2 * KEYS);
    }

    @Test
    void loadHasRacesRepeatsChangesAndFaults() throws InterruptedException {
        load(7, 1).run(keys -> keys < KEYS);
        assertThat(asked.values()).anyMatch(calls -> calls.size() > 2).anyMatch(calls -> calls.size() == 1);
        assertThat(asked.values().stream().flatMap(List::stream)).anyMatch(call -> call.contains("1001"))
                .anyMatch(call -> call.contains("status=500")).anyMatch(call -> call.contains("drop-after"));
    }

    @Test
    void everyKeyIsRepeatedWithItsFirstRequest() throws InterruptedException {
        Load load = load(7, 1);
        load.run(keys -> keys < KEYS);
        load.run(keys -> keys < KEYS + 10);
        assertThat(load.ended()).isEqualTo(KEYS + 10);
        asked.clear();
        load.repeatAll();
        assertThat(asked).hasSize(KEYS + 10);
        assertThat(asked.values()).allMatch(calls -> calls.size() == 1 && calls.getFirst().contains("\"amount\":1000"));
    }

    @Test
    void callsWithoutAnAnswerAreHeardOf() throws InterruptedException {
        Load load = new Load(
                () -> List.of(URI.create("http://g")), "/p", (gateway, path, key, body, more) -> Optional.empty(),
                witness, MIX, 7, new Still(1));
        load.run(keys -> keys < 5);
        assertThat(witness.keys()).hasSize(5);
        assertThat(witness.kinds()).containsOnlyKeys("no answer");
    }

    private Map<String, List<String>> asked(long seed) throws InterruptedException {
        asked.clear();
        load(seed, 1).run(keys -> keys < KEYS);
        Map<String, List<String>> byNumber = new TreeMap<>();
        asked.forEach((key, calls) -> {
            // Racers have no order.
            List<String> all = new ArrayList<>(calls);
            Collections.sort(all);
            byNumber.put(key.replaceAll(".*:", ""), all.stream().map(call -> call.replace(key, "")).toList());
        });
        return byNumber;
    }

    /// Against a gateway that records everything.
    private Load load(long seed, long begun) {
        return new Load(
                () -> List.of(URI.create("http://g")), "/p",
                (gateway, path, key, body, more) -> {
                    asked.computeIfAbsent(key, same -> Collections.synchronizedList(new ArrayList<>()))
                            .add(body + more);
                    return Optional.of(new Told(key, body, 201, "", "recorded", true, "", "", false, 1, 2));
                },
                witness, MIX, seed, new Still(begun));
    }

    /// Goes on by a nanosecond at each look, and never waits.
    private record Still(Instant now, AtomicLong ticks) implements Clocks {

        private Still(long second) {
            this(Instant.ofEpochSecond(second), new AtomicLong());
        }

        @Override
        public long nanos() {
            return ticks.incrementAndGet();
        }

        @Override
        public void sleep(Duration time) {
            ticks.addAndGet(time.toNanos());
        }
    }
}

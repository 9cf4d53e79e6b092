package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.telemetry.Metrics;
import org.junit.jupiter.api.Test;

/// How much it keeps, and what is told of it.
class ReplayCacheTest {

    private static final int BYTES = 20_000;

    private final Metrics metrics = new Metrics("1");

    @Test
    void whatFindsNoRoomGoesAndIsCounted() {
        FullCache full = new FullCache(100, BYTES, metrics);

        assertThat(full.cache().bytes()).isBetween(BYTES / 2L, (long) BYTES);
        assertThat(full.cache().count()).isBetween(5L, 20L);
        assertThat(metrics.scrape())
                .contains("latchkey_cache_evictions_total{cause=\"size\"} " + (100.0 - full.cache().count()))
                .contains("latchkey_cache_evictions_total{cause=\"age\"} 0.0");
    }
}

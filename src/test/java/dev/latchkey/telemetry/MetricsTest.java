package dev.latchkey.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {

    private final Metrics metrics = new Metrics("1.2.3");

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void callsAreCountedByRouteAndAnswer() {
        metrics.called("payments", "replay", 201, 3_000_000);
        metrics.called("payments", "replay", 201, 3_000_000);
        assertThat(metrics.scrape())
                .contains("latchkey_calls_seconds_count{answer=\"replay\",route=\"payments\",status_class=\"2xx\"} 2")
                .contains("# HELP latchkey_calls_seconds Calls answered, by route, answer and class of status");
    }

    @Test
    void aForwardWithoutAResponseHasNoStatusClass() {
        metrics.forwarded("payments", "in-doubt", 0, 1);
        assertThat(metrics.scrape())
                .contains(
                        "latchkey_forwards_seconds_count{outcome=\"in-doubt\",route=\"payments\",status_class=\"none\"} 1");
    }

    @Test
    void hitsAndMissesAreShownFromTheStart() {
        metrics.cache(true);
        assertThat(metrics.scrape())
                .contains("latchkey_cache_lookups_total{result=\"hit\"} 1.0")
                .contains("latchkey_cache_lookups_total{result=\"miss\"} 0.0");
    }

    @Test
    void aFigureIsReadWhenItIsAskedFor() {
        long[] doubts = {1};
        metrics.gauge(Figure.ENTRIES, () -> doubts[0], "state", "in-doubt");
        metrics.gauge(Figure.OLDEST_DOUBT, () -> null);
        doubts[0] = 7;
        assertThat(metrics.scrape())
                .contains("latchkey_entries{state=\"in-doubt\"} 7.0")
                .contains("latchkey_oldest_doubt_seconds NaN");
    }

    @Test
    void whatRunsIsShown() {
        assertThat(metrics.scrape()).contains("latchkey_build_info{java=").contains("version=\"1.2.3\"} 1");
    }

    @Test
    void aRouteIsThereBeforeItsFirstCall() {
        metrics.route("mail");
        assertThat(metrics.scrape())
                .contains("latchkey_calls_seconds_count{answer=\"fresh\",route=\"mail\",status_class=\"2xx\"} 0")
                .contains(
                        "latchkey_calls_seconds_count{answer=\"ledger-unavailable\",route=\"mail\",status_class=\"5xx\"} 0")
                .contains(
                        "latchkey_forwards_seconds_count{outcome=\"in-doubt\",route=\"mail\",status_class=\"none\"} 0")
                .contains("latchkey_added_seconds_count{route=\"mail\"} 0")
                .contains("latchkey_doubts_total{route=\"mail\"} 0.0");
    }

    @Test
    void whatTheGatewayAddsHasFineBuckets() {
        metrics.added("mail", 300_000);
        assertThat(metrics.scrape())
                .contains("latchkey_added_seconds_bucket{route=\"mail\",le=\"2.5E-4\"} 0")
                .contains("latchkey_added_seconds_bucket{route=\"mail\",le=\"5.0E-4\"} 1");
    }

    @Test
    void groupCommitsAreShownBySize() {
        metrics.committed(7, 2_000_000);
        assertThat(metrics.scrape())
                .contains("latchkey_group_commit_size_bucket{le=\"4.0\"} 0")
                .contains("latchkey_group_commit_size_bucket{le=\"8.0\"} 1")
                .contains("latchkey_group_commit_seconds_count 1");
    }
}

package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PgBenchTest {

    @Test
    void everyParameterOfTheStatementsIsFilledIn() {
        assertThat(PgBench.script().lines()).hasSize(4);
        assertThat(PgBench.script().replaceAll("'[^']*'", "''").replaceAll(":[ab]\\b", "")).doesNotContain(":");
    }

    @Test
    void theFirstSecondsDoNotCount() {
        String printed = """
                progress: 1.0 s, 10.0 tps, lat 1 ms
                progress: 2.0 s, 20.0 tps, lat 1 ms
                progress: 3.0 s, 300.0 tps, lat 1 ms
                progress: 4.1 s, 500.0 tps, lat 1 ms
                """;
        assertThat(PgBench.rate(printed, 2)).isEqualTo(400);
        assertThat(PgBench.rate(printed, 4)).isZero();
    }
}

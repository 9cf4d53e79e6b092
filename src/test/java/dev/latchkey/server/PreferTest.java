package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreferTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "wait=10 # 10",
                "wait=0 # 0",
                "WAIT = 10 # 10",
                "wait=\"10\" # 10",
                "respond-async, wait=10 # 10",
                "foo; wait=3, wait=10 # 10",
                "return=\"a, wait=3\", wait=10;x=y # 10",
                "wait=10, wait=3 # 10",
                "wait=999999999 # 999999999"
            })
    void waitIsReadWhereverItStands(String line, long seconds) {
        assertThat(Prefer.waitIn(List.of(line))).hasValue(Duration.ofSeconds(seconds));
    }

    @Test
    void linesAreOneList() {
        assertThat(Prefer.waitIn(List.of("return=minimal", "wait=5"))).hasValue(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "wait", "wait=", "wait=soon", "wait=-1", "wait=1.5", "wait=9999999999", "waiting=3",
                "x=\"wait=3\""})
    void whatIsNoWaitIsIgnored(String line) {
        assertThat(Prefer.waitIn(List.of(line))).isEmpty();
    }

    @Test
    @Timeout(5)
    void aHostileLineIsReadInLinearTime() {
        assertThat(Prefer.waitIn(List.of("\"".repeat(16_000), "a=\"" + "\\".repeat(16_000)))).isEmpty();
    }
}

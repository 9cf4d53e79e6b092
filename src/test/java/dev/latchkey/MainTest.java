package dev.latchkey;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void runsOnTheToolchainsJava() {
        assertThat(Runtime.version().feature()).isGreaterThanOrEqualTo(25);
    }
}

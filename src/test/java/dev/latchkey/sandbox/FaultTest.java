package dev.latchkey.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {

    @Test
    void noHeaderMeansNoTrouble() {
        Fault none = Fault.read(null);
        assertThat(none).isEqualTo(new Fault(Duration.ZERO, OptionalInt.empty(), Optional.empty()));
        assertThat(none.letsItHappen()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"delay=3s,PT3S", "delay=250ms,PT0.25S", "delay=10m,PT10M", "delay=0s,PT0S"})
    void delaysHaveUnits(String header, Duration delay) {
        assertThat(Fault.read(header).delay()).isEqualTo(delay);
    }

    @Test
    void severalCombine() {
        assertThat(Fault.read(" delay=1s , status=503 "))
                .isEqualTo(new Fault(Duration.ofSeconds(1), OptionalInt.of(503), Optional.empty()));
        assertThat(Fault.read("delay=1s,drop-after").drop()).contains(Fault.Drop.AFTER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|', value = {"status=500|false", "drop-before|false", "drop-after|true", "delay=1s|true"})
    void onlyStatusAndDropBeforeKeepTheEffectAway(String header, boolean happens) {
        assertThat(Fault.read(header).letsItHappen()).isEqualTo(happens);
    }

    @ParameterizedTest
    @ValueSource(strings = {"delay=3", "delay=11m", "delay=-1s", "status=99", "status=600", "drop", "delay=1s,",
        "DELAY=1s"})
    void anythingElseIsRefused(String header) {
        assertThatThrownBy(() -> Fault.read(header))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("delay=3s")
                .hasMessageContaining("drop-after");
    }
}

package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

    @Test
    void everyOtherRoundGoesTheOtherWayAbout() {
        List<String> sides = List.of("batched", "plain", "no ledger");
        assertThat(Turns.of(0, sides)).containsExactly("batched", "plain", "no ledger");
        assertThat(Turns.of(1, sides)).containsExactly("no ledger", "plain", "batched");
        assertThat(Turns.of(2, sides)).isEqualTo(sides);
    }
}

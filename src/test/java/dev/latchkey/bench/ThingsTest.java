package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThingsTest {

    @Test
    void whileTheyAreBeingEndedTheySaySo() {
        Things things = Things.opened();
        boolean[] seen = new boolean[1];
        things.keep(() -> seen[0] = things.isEnding(Duration.ZERO));
        assertThat(things.isEnding(Duration.ZERO)).isFalse();
        things.close();
        assertThat(seen).containsExactly(true);
    }
}

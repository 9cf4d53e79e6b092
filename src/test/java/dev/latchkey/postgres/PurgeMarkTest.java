package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a purge looks from.
class PurgeMarkTest {

    private static final Instant DUE = Instant.parse("2026-01-04T10:00:00Z");

    private final PurgeMark mark = new PurgeMark(true);

    @Test
    void firstLookIsFromTheBeginning() {
        assertThat(mark.since()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void eachLookGoesOnWhereTheLastOneEnded() {
        mark.looked(DUE, true);
        mark.looked(DUE.plusSeconds(1), false);
        mark.looked(null, false);

        assertThat(mark.since()).isEqualTo(DUE.plusSeconds(1));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "2026-01-04T10:00:00Z")
    void whatBecameDueEarlierIsFoundAfterManyRoundsIdleOrNot(@Nullable Instant upto) {
        mark.looked(DUE, true);
        for (int round = 1; round < PurgeMark.ROUNDS; round++) {
            mark.looked(upto, true);
            mark.looked(upto, false);
        }
        assertThat(mark.since()).isEqualTo(DUE);

        mark.looked(upto, false);

        assertThat(mark.since()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void whatMayComeLateIsLookedForFromTheBeginningWhereNothingMoreIsLeft() {
        PurgeMark late = new PurgeMark(false);
        late.looked(DUE, true);
        assertThat(late.since()).isEqualTo(DUE);

        late.looked(DUE.plusSeconds(1), false);

        assertThat(late.since()).isEqualTo(Instant.EPOCH);
    }
}

package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

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

    @Test
    void whatBecameDueEarlierIsFoundAfterManyIdleLooks() {
        mark.looked(DUE, true);
        for (int look = 1; look < PurgeMark.LOOKS; look++) {
            mark.looked(null, false);
        }
        assertThat(mark.since()).isEqualTo(DUE);

        mark.looked(null, false);

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

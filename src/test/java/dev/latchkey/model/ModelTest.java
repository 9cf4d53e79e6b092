package dev.latchkey.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The quickest explorations; [ModelIT] makes the others.
class ModelTest {

    @Test
    void twoCallsOnTwoReplicasDoNothingTwiceAndSayNothingFalse() {
        Explorer.Result result = new Explorer(Scenario.of("a1 a2"), Guard.NONE).explore();
        assertThat(result.trace()).isNull();
        assertThat(result.ends()).isGreaterThan(10);
        assertThat(result.worlds()).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"G8", "G9_ONCE", "G9_SWEPT", "G11", "G12", "G14_SWEEP", "G15"})
    void guardIsMissed(Guard guard) {
        Trace trace = Trace.without(guard);
        assertThat(trace.wrong()).startsWith(guard.wrong());
        assertThat(trace.steps()).isNotEmpty();
    }
}

package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureTest {

    @Test
    void theMedianIsTheMiddleRoundAndNotTheMean() {
        Figure figure = Figure.ratio("a ÷ b", List.of(9.0, 0.1, 0.5, 0.4, 0.6));
        assertThat(figure.median()).isEqualTo(0.5);
        assertThat(figure.least()).isEqualTo(0.1);
        assertThat(figure.most()).isEqualTo(9.0);
        assertThat(figure.quantile(0.25)).isEqualTo(0.4);
    }

    @Test
    void ofAnEvenNumberTheMedianLiesBetweenTheMiddleTwo() {
        assertThat(Figure.ratio("a ÷ b", List.of(4.0, 1.0, 2.0, 3.0)).median()).isEqualTo(2.5);
    }

    @Test
    void roundsWithoutANumberAreNoFigure() {
        assertThatIllegalArgumentException().isThrownBy(() -> Figure.ratio("a ÷ b", List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Figure.ratio("a ÷ b", List.of(1.0, 0.0 / 0.0)));
        assertThatIllegalArgumentException().isThrownBy(() -> Figure.ratio("a ÷ b", List.of(1 / 0.0)));
    }

    @Test
    void onlyACheckFailsAndInAQuickRunOnlyAGrossMiss() {
        Figure missed = Figure.ratio("PostgreSQL CPU a call ÷ plain", List.of(0.5));
        assertThat(missed.fails(false)).isFalse();
        assertThat(missed.aiming(Aim.atMost(0.3)).fails(false)).isFalse();
        assertThat(missed.aiming(Aim.atMost(0.3).checked()).fails(false)).isTrue();
        assertThat(missed.aiming(Aim.atMost(0.3).checked()).fails(true)).isFalse();
        assertThat(missed.aiming(Aim.atMost(0.2).checked()).fails(true)).isTrue();
        assertThat(missed.aiming(Aim.atLeast(0.6).checked()).fails(false)).isTrue();
        assertThat(missed.aiming(Aim.atLeast(0.5).checked()).fails(false)).isFalse();
        assertThat(missed.aiming(Aim.atMost(0.3).checkedAt(0.6)).fails(false)).isFalse();
        assertThat(missed.aiming(Aim.atMost(0.3).checkedAt(0.4)).fails(false)).isTrue();
    }

    @Test
    void aCheckFailsWhereNoRoundMeetsIt() {
        Figure few = Figure.ratio("few are better", List.of(0.5, 0.29, 0.6));
        assertThat(few.aiming(Aim.atMost(0.3).checked()).fails(false)).isFalse();
        assertThat(few.aiming(Aim.atMost(0.28).checked()).fails(false)).isTrue();
        assertThat(few.aiming(Aim.atLeast(0.6).checked()).fails(false)).isFalse();
        assertThat(few.aiming(Aim.atLeast(0.61).checked()).fails(false)).isTrue();
    }

    @Test
    void aPartIsReportedWithMedianSpreadAndWhetherItsAimIsMet() {
        Report report = new Report(false, Map.of("CPU", "a fast one"));
        report.add("first-calls", List.of(
                Figure.ratio("one", List.of(0.7, 0.5, 0.6)).aiming(Aim.atLeast(0.55)),
                Figure.ratio("two", List.of(0.31)).aiming(Aim.atMost(0.3).checked()),
                Figure.of("three", "µs", List.of(1234.0)).noting("as it is")));
        assertThat(report.markdown())
                .contains("| CPU | a fast one |")
                .contains("| one | 0.60 | 0.50 – 0.70 | ≥ 0.55 | met |")
                .contains("| two | 0.31 | 0.31 – 0.31 | ≤ 0.30 | **failed** |")
                .contains("| three | 1,234 µs | 1,234 – 1,234 |  |  | as it is |");
        assertThat(report.failures()).extracting(Figure::name).containsExactly("two");
    }
}

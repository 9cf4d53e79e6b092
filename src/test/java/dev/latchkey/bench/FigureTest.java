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
        assertThat(missed.aiming(Aim.atMost(0.3).checkedAt(0.3)).fails(false)).isTrue();
        assertThat(missed.aiming(Aim.atMost(0.3).checkedAt(0.3)).fails(true)).isFalse();
        assertThat(missed.aiming(Aim.checkedAtMost(0.2)).fails(true)).isTrue();
        assertThat(missed.aiming(Aim.atLeast(0.6).checkedAt(0.6)).fails(false)).isTrue();
        assertThat(missed.aiming(Aim.atLeast(0.5).checkedAt(0.5)).fails(false)).isFalse();
        assertThat(missed.aiming(Aim.atMost(0.3).checkedAt(0.6)).fails(false)).isFalse();
        assertThat(missed.aiming(Aim.atMost(0.3).checkedAt(0.4)).fails(false)).isTrue();
    }

    /// What has got twice as dear has a good round still, where the machine was busy with the other side's turn.
    @Test
    void oneGoodRoundOfFiveIsNotEnough() {
        Figure dear = Figure.ratio("few are better", List.of(0.6, 0.29, 0.6, 0.6, 0.6));
        assertThat(dear.aiming(Aim.checkedAtMost(0.3)).fails(false)).isTrue();
        Figure slow = Figure.ratio("many are better", List.of(0.3, 0.3, 0.3, 0.9, 0.3));
        assertThat(slow.aiming(Aim.atLeast(0.6).checkedAt(0.6)).fails(false)).isTrue();
    }

    @Test
    void oneBadRoundOfFiveFailsNothing() {
        Figure figure = Figure.ratio("few are better", List.of(0.2, 0.9, 0.2, 0.2, 0.2));
        assertThat(figure.aiming(Aim.checkedAtMost(0.3)).fails(false)).isFalse();
    }

    @Test
    void theMainTableShowsMedianSpreadAimCheckAndVerdict() {
        Report report = new Report(false, Map.of("CPU", "a fast one"));
        report.add("first-calls", List.of(
                Figure.ratio("one", List.of(0.7, 0.5, 0.6)).aiming(Aim.atLeast(0.55)),
                Figure.ratio("two", List.of(0.41)).aiming(Aim.atMost(0.3).checkedAt(0.4)),
                Figure.ratio("three", List.of(0.31)).aiming(Aim.atMost(0.3).checkedAt(0.4)),
                Figure.ratio("four", List.of(2.0)).aiming(Aim.checkedAtMost(3.6)).noting("as it is")));
        assertThat(report.markdown())
                .contains("| CPU | a fast one |")
                .contains("| Measure | Median | Least – most | Aim | Check | | Notes |")
                .contains("| one | 0.60 | 0.50 – 0.70 | ≥ 0.55 |  | met |  |")
                .contains("| two | 0.41 | 0.41 – 0.41 | ≤ 0.30 | ≤ 0.40 | **FAILED** |  |")
                .contains("| three | 0.31 | 0.31 – 0.31 | ≤ 0.30 | ≤ 0.40 | missed |  |")
                .contains("| four | 2.00 | 2.00 – 2.00 |  | ≤ 3.60 | held | as it is |");
        assertThat(report.failures()).extracting(Figure::name).containsExactly("two");
    }

    @Test
    void amountsStandInTheRowAndTheColumnThatTheirNamesSay() {
        Report report = new Report(false, Map.of());
        report.add("first-calls", List.of(
                Figure.of("batched, 8 callers: calls", "/s", List.of(1234.0, 1000.0, 2000.0)),
                Figure.of("batched, 8 callers: WAL a call", "B", List.of(1400.0)),
                Figure.of("pgbench, 8 callers: calls", "/s", List.of(900.0)),
                Figure.of("a commit", "ms", List.of(0.4)).noting("as it is")));
        assertThat(report.markdown()).contains("### first-calls")
                .contains("| a commit | 0.40 ms | 0.40 – 0.40 | as it is |")
                .contains("""
                        | Median (least – most) | calls, /s | WAL a call, B |
                        |---|--:|--:|
                        | batched, 8 callers | 1,234 (1,000 – 2,000) | 1,400 (1,400 – 1,400) |
                        | pgbench, 8 callers | 900 (900 – 900) |  |
                        """);
    }

    @Test
    void aReportOfSomePartsSaysWhichItLacks() {
        Report report = new Report(false, Map.of());
        assertThat(report.markdown()).doesNotContain("Partial");
        report.without(List.of("micro"));
        report.lacks(List.of("replays", "table"));
        assertThat(report.markdown()).startsWith("**Partial**: without micro, replays, table.");
    }
}

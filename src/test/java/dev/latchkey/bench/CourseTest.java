package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CourseTest {

    private final List<String> ran = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private boolean ended;

    private interface Work {
        List<Figure> run(int time) throws Exception;
    }

    private Part part(String name, Work work) {
        return new Part() {
            private int times;

            @Override
            public String name() {
                return name;
            }

            @Override
            public List<Figure> run(Bench bench) throws Exception {
                ran.add(name);
                return work.run(times++);
            }
        };
    }

    private static List<Figure> cpu(Double... rounds) {
        return List.of(Figure.ratio("CPU", List.of(rounds)).aiming(Aim.atMost(0.2).checkedAt(0.3)));
    }

    private Report run(boolean quick, Part... parts) throws IOException {
        Bench bench = Bench.of(quick, Path.of("none"), new Progress(), () -> {
            throw new AssertionError("no server here");
        });
        Report report = new Report(quick, Map.of());
        new Course(bench, report, it -> written.add(it.markdown()), () -> ended).run(List.of(parts));
        return report;
    }

    @Test
    void aCheckThatHoldsIsLookedAtOnce() throws IOException {
        Report report = run(false, part("one", time -> cpu(0.1, 0.29, 0.9)));
        assertThat(ran).containsExactly("one");
        assertThat(report.failures()).isEmpty();
    }

    @Test
    void aCheckThatFailsIsLookedAtAgainAndAllRoundsAreJudged() throws IOException {
        Report report = run(false, part("one", time -> time == 0 ? cpu(0.1, 0.31, 0.9) : cpu(0.1, 0.1, 0.2)));
        assertThat(ran).containsExactly("one", "one");
        assertThat(report.failures()).isEmpty();
        assertThat(report.markdown()).contains("| 0.15 | 0.10 – 0.90 |").contains("| Run twice | one,");
    }

    @Test
    void whatFailsInAllRoundsFails() throws IOException {
        Report report = run(false, part("one", time -> cpu(0.1, 0.31, 0.9)));
        assertThat(ran).containsExactly("one", "one");
        assertThat(report.failures()).extracting(it -> it.rounds().size()).containsExactly(6);
    }

    @Test
    void aQuickRunLooksOnce() throws IOException {
        Report report = run(true, part("one", time -> cpu(0.7)));
        assertThat(ran).containsExactly("one");
        assertThat(report.failures()).hasSize(1);
    }

    @Test
    void onePartThatBreaksFailsAndTheOthersAreMeasured() throws IOException {
        Report report = run(false, part("one", time -> {
            throw new IOException("broken");
        }), part("two", time -> cpu(0.1)));
        assertThat(ran).containsExactly("one", "two");
        assertThat(report.isBroken()).isTrue();
        assertThat(report.markdown()).contains("**one broke**: broken").doesNotContain("Partial");
    }

    /// What breaks because everything is being ended says nothing of the program.
    @Test
    void afterASignalNothingIsMeasuredAndWhatWasMeasuredStaysAsItWas() throws IOException {
        Report report = run(false, part("one", time -> cpu(0.1)), part("two", time -> {
            ended = true;
            throw new IOException("the database system is shutting down");
        }), part("three", time -> cpu(0.1)));
        assertThat(ran).containsExactly("one", "two");
        assertThat(report.isBroken()).isFalse();
        assertThat(written).hasSize(1);
        assertThat(written.getFirst()).startsWith("**Partial**: without two, three.");
    }

    @Test
    void aSignalBeforeTheFirstPartLeavesTheReportOfAnEarlierRun() throws IOException {
        ended = true;
        run(false, part("one", time -> cpu(0.1)));
        assertThat(ran).isEmpty();
        assertThat(written).isEmpty();
    }
}

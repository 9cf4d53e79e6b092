package dev.latchkey.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Hard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every world that some scenarios can come to. With all guards nothing is wrong in any of them; without a guard, something
/// is, and a shortest way to it is written down for people, in `target/model/counterexamples.txt`.
///
/// `-Dlatchkey.model.large=true` explores a few scenarios more, of millions of worlds.
@Hard
class ModelIT {

    private static final List<String> REPORT = new ArrayList<>();
    private static final Map<String, Future<Explorer.Result>> WORLDS = new HashMap<>();
    private static final Map<Guard, Future<Trace>> TRACES = new EnumMap<>(Guard.class);
    private static final ExecutorService EXPLORERS =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

    @BeforeAll
    static void exploreOnAllProcessors() {
        for (Guard guard : Guard.values()) {
            if (guard != Guard.NONE) {
                TRACES.put(guard, EXPLORERS.submit(() -> Trace.without(guard)));
            }
        }
        scenarios().forEach(each -> WORLDS.put(
                each.toString(),
                EXPLORERS.submit(() -> new Explorer(each, Guard.NONE).explore())));
    }

    static Stream<Scenario> scenarios() {
        Stream<Scenario> guards = Arrays.stream(Guard.values()).map(Guard::scenario).filter(each -> !each.unbounded);
        Stream<Scenario> more = Stream.of(
                Scenario.of("a1 a2 b2").crashing(),
                Scenario.of("a1 a1 b1").crashing().caching(),
                Scenario.of("a1 a2").crashing().losing(2),
                Scenario.of("a1 b2 a1").correcting().caching().expiringRejections(1),
                Scenario.of("a1 a2").expiring(1).caching().losing(1),
                Scenario.of("a1 a2").lookedUp().crashing(),
                Scenario.of("a1 b2").answeringCopies().correcting().judged().losing(1),
                Scenario.of("a1 b2").erased().caching().correcting());
        Stream<Scenario> large = Stream.of(
                Scenario.of("a1 a2").lookedUp().judged().crashing().losing(1),
                Scenario.of("a1 a2").answeringCopies().lookedUp().judged().crashing().losing(1),
                Scenario.of("a1 a2 a1").answeringCopies().crashing(),
                Scenario.of("a1 a2 b2").lookedUp().correcting().expiringRejections(1));
        Stream<Scenario> all = Stream.concat(guards, more);
        return distinct(Boolean.getBoolean("latchkey.model.large") ? Stream.concat(all, large) : all);
    }

    private static Stream<Scenario> distinct(Stream<Scenario> all) {
        List<Scenario> once = new ArrayList<>();
        all.forEach(each -> {
            if (once.stream().noneMatch(other -> other.toString().equals(each.toString()))) {
                once.add(each);
            }
        });
        return once.stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void nothingIsWrongWithAllGuards(Scenario scenario) throws Exception {
        Explorer.Result result = Objects.requireNonNull(WORLDS.get(scenario.toString())).get();
        assertThat(result.trace()).isNull();
        assertThat(result.ends()).isPositive();
        REPORT.add("holds: %s: %,d worlds, %,d steps, %,d ends%n"
                .formatted(scenario, result.worlds(), result.steps(), result.ends()));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void guardIsMissed(Guard guard) throws Exception {
        Trace trace = Objects.requireNonNull(TRACES.get(guard)).get();
        assertThat(trace.wrong()).startsWith(guard.wrong());
        REPORT.add("%n%s: without it, %s (%s)%n%s".formatted(guard, guard.without(), guard.scenario(), trace));
    }

    /// Where a process may stall without bound a second effect cannot be kept away (contract §11); what the guard is for
    /// must hold even there.
    @ParameterizedTest
    @EnumSource(names = "G18")
    void guardHoldsWhereStallsHaveNoBound(Guard guard) {
        assertThat(new Explorer(guard.scenario(), Guard.NONE).explore(guard.wrong()).trace()).isNull();
    }

    @AfterAll
    static void writeItDown() throws IOException {
        EXPLORERS.shutdownNow();
        Path folder = Files.createDirectories(Path.of("target", "model"));
        Files.writeString(folder.resolve("counterexamples.txt"), String.join("", REPORT));
    }
}

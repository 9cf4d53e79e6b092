package dev.latchkey.model;

import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What may happen next, in a scenario and without one guard or none. Not for several threads.
final class Model {

    final Scenario scenario;
    final Guard missing;
    final Route route;
    private final List<Ask> asks;
    private final List<Step> steps = new ArrayList<>();
    private final CallSteps calls = new CallSteps(this);
    private final WorldSteps others = new WorldSteps(this);

    /// One step.
    ///
    /// @param what in words; its first word or two name the move for those who carry it out for real
    /// @param call whose move; negative: nobody's
    /// @param after the world after it
    /// @param wrong what it shows to be wrong; null: nothing
    record Step(Supplier<String> what, int call, World after, @Nullable String wrong) {}

    Model(Scenario scenario, Guard missing) {
        this.scenario = scenario;
        this.missing = missing;
        Route made = Rules.route(scenario);
        this.route = made;
        Route claimed = without(Guard.G13) ? tight(made) : made;
        this.asks = IntStream.range(0, 2).mapToObj(body -> Rules.ask(claimed, body)).toList();
    }

    /// A route that does not reckon with the time that a forward takes.
    private static Route tight(Route route) {
        return new Route(
                route.name(), Duration.ZERO, route.leaseMargin(), route.deduplicates(), route.resend(), route.lookup(),
                route.corrections(), route.sentAs(), route.statuses(), route.retention());
    }

    boolean without(Guard guard) {
        return missing == guard;
    }

    /// Whether an attempt's send window begins before its claim is handed over.
    boolean windowFromStart() {
        return missing != Guard.G6 && missing != Guard.G7_STATE;
    }

    boolean keepsRejections() {
        return missing == Guard.G10_REJECTIONS || missing == Guard.G10_MISMATCH;
    }

    Ask ask(int call) {
        return asks.get(scenario.bodies.get(call));
    }

    int body(int call) {
        return scenario.bodies.get(call);
    }

    int replica(int call) {
        return scenario.replicas.get(call);
    }

    String me(int call) {
        return "call " + call + " (" + (body(call) == 0 ? "a" : "b") + ", replica " + (replica(call) + 1) + ")";
    }

    World start() {
        return new World(scenario);
    }

    /// Every step that is possible now.
    List<Step> next(World world) {
        steps.clear();
        for (int i = 0; i < world.callers.length; i++) {
            calls.add(world, i);
        }
        others.add(world);
        return List.copyOf(steps);
    }

    void add(Supplier<String> what, int call, World after, @Nullable String wrong) {
        steps.add(new Step(what, call, after, wrong));
    }

    /// What is wrong where nothing more can happen; null: nothing.
    @Nullable
    String stuck(World world) {
        boolean died = false;
        boolean sent = false;
        for (int i = 0; i < world.callers.length; i++) {
            Caller caller = world.callers[i];
            if (!caller.over()) {
                return "a call hangs: " + me(i) + " at " + caller.at;
            }
            if (caller.at == Caller.At.DONE && !caller.answered) {
                return "a call ended without an answer: " + me(i);
            }
            died |= caller.at == Caller.At.DEAD;
            sent |= world.messages[i] != World.Message.NONE;
        }
        Row row = world.row;
        if (row != null && row.is(State.CLAIMED)) {
            return "the key is claimed for ever";
        }
        // Where the downstream deduplicates, a re-forward that was not sent says nothing of the forward before it.
        boolean doubtful = row != null && row.is(State.IN_DOUBT) && !scenario.deduplicates;
        if (doubtful && !sent && !died) {
            return "the key is in doubt for ever, though not a byte was sent and nobody died";
        }
        return null;
    }
}

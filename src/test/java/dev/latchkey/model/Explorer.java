package dev.latchkey.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Goes through every world that a scenario can come to, breadth first, so that the trace it finds is a shortest one.
final class Explorer {

    private final Model model;
    private final Visited visited = new Visited();

    Explorer(Scenario scenario, Guard missing) {
        this.model = new Model(scenario, missing);
    }

    /// What came of it.
    ///
    /// @param worlds how many different ones there are
    /// @param steps how many ways lead from one to another
    /// @param ends how many of them are ends
    /// @param trace what leads to the first wrong; null: nothing is wrong
    record Result(long worlds, long steps, long ends, @Nullable Trace trace) {}

    /// Looks for anything that is wrong.
    Result explore() {
        return explore("");
    }

    /// Looks for one kind of wrong; no way goes on after another kind.
    ///
    /// @param wanted how its sentence begins
    Result explore(String wanted) {
        Deque<World> front = new ArrayDeque<>();
        World first = model.start();
        visited.add(first.key(), 0);
        front.add(first);
        long steps = 0;
        long ends = 0;
        for (World world = front.poll(); world != null; world = front.poll()) {
            List<Model.Step> next = model.next(world);
            long key = world.key();
            String wrong = next.isEmpty() ? model.stuck(world) : null;
            ends += next.isEmpty() ? 1 : 0;
            if (wrong != null && wrong.startsWith(wanted)) {
                return new Result(visited.size(), steps, ends, trace(key, null, wrong));
            }
            for (Model.Step step : next) {
                steps++;
                if (step.wrong() != null && step.wrong().startsWith(wanted)) {
                    return new Result(visited.size(), steps, ends, trace(key, step, step.wrong()));
                }
                if (step.wrong() == null && visited.add(step.after().key(), key)) {
                    front.add(step.after());
                }
            }
        }
        return new Result(visited.size(), steps, ends, null);
    }

    /// Worlds are not kept: the way is walked once more, from key to key.
    private Trace trace(long last, Model.@Nullable Step wrongStep, String wrong) {
        List<Long> keys = visited.wayTo(last);
        List<Model.Step> way = new ArrayList<>();
        World world = model.start();
        for (long key : keys.subList(1, keys.size())) {
            Model.Step step = model.next(world).stream()
                    .filter(each -> each.after().key() == key)
                    .findFirst()
                    .orElseThrow();
            way.add(step);
            world = step.after();
        }
        if (wrongStep != null) {
            way.add(wrongStep);
        }
        return new Trace(way, wrong);
    }
}

package dev.latchkey.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// One seeded run: calls on a few keys through two replicas, with the real call, waiting, cache, upkeep and verdicts, over a
/// ledger and a downstream where anything may fail, on machines that may stop or die, by clocks that may be wrong. Then all
/// calms down, and what every call was told is held against what happened.
final class Simulation {

    /// How long all may go on before it calms down.
    static final Duration STORM = Duration.ofMinutes(15);
    /// The most that the ledger's clock goes ahead.
    static final Duration MOST_JUMPED = Duration.ofMinutes(30);
    /// How the story of a good run ends.
    static final String ALL_IS_WELL = "nothing is wrong";
    private static final Duration CALM = Duration.ofMinutes(25);

    private final long seed;
    private final Guard missing;
    private final Replicas world;
    private final Stage stage;
    private final Random random;
    private final Scenario scenario;
    private final Story story;
    private final SimulatedDownstream downstream;
    private final Chronicle chronicle;
    private final Standby standby;
    private final Cluster cluster;
    private final SimulatedCallers callers;
    private final SimulatedOperator operator;
    private final List<String> keys;
    private Duration jumped = Duration.ZERO;

    /// @param missing the guard to do without
    Simulation(long seed, Guard missing) {
        this.seed = seed;
        this.missing = missing;
        this.world = new Replicas(seed);
        this.stage = world.stage;
        this.random = new Random(seed ^ 0x5EED);
        this.scenario = Scenario.draw(random, missing);
        this.story = new Story(stage);
        this.keys = IntStream.range(0, scenario.keys()).mapToObj(i -> "key-" + i).toList();
        this.chronicle = new Chronicle(world.memory, stage, story, scenario.keepFreed(), keys);
        this.standby = new Standby(world.memory, chronicle, stage, random, scenario.standby(), missing);
        this.downstream = new SimulatedDownstream(stage, random, scenario, chronicle, story);
        SimulatedNode.Site site = new SimulatedNode.Site(
                world, random, scenario, missing, new BrokenLedger(standby, world.memory, chronicle, stage, missing),
                downstream);
        this.cluster = new Cluster(site, story);
        this.callers = new SimulatedCallers(stage, random, scenario, cluster, chronicle, story, missing);
        this.operator = new SimulatedOperator(site, cluster, chronicle, story);
    }

    /// What is wrong; empty: nothing.
    List<String> run() {
        callers.begin();
        operator.begin();
        if (scenario.standby() != Scenario.Commits.ALONE) {
            stage.execute(this::standbyComesAndGoes);
        }
        stage.execute(this::clocksJump);
        stage.advance(STORM);
        cluster.calmDown();
        downstream.calmDown();
        story.note("all calms down");
        stage.advance(CALM);
        callers.unanswered().forEach(call -> story.wrong("call " + call + " was never answered"));
        Oracle oracle = new Oracle(scenario, chronicle, downstream, story);
        keys.forEach(oracle::keyEndsWell);
        oracle.answersAreTrue(callers.told());
        for (SimulatedNode node : cluster.all()) {
            String left = node.left();
            if (left != null) {
                story.wrong(left);
            }
        }
        return story.wrongs();
    }

    private void standbyComesAndGoes() {
        try {
            while (true) {
                stage.sleep(Duration.ofSeconds(random.nextInt(missing == Guard.NONE ? 240 : 20)));
                if (downstream.isCalm()) {
                    return;
                }
                story.note("the standby is away");
                standby.leave();
                stage.sleep(Duration.ofMillis(random.nextInt(random.nextBoolean() ? 1_000 : 60_000)));
                if (missing != Guard.NONE || random.nextBoolean()) {
                    story.note("the standby takes over");
                    standby.failOver();
                } else {
                    story.note("the standby is there again");
                    standby.comeBack();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void clocksJump() {
        try {
            while (!downstream.isCalm()) {
                stage.sleep(Duration.ofSeconds(random.nextInt(missing == Guard.NONE ? 200 : 60)));
                switch (scenario.clocks()) {
                    case WALL_JUMPS -> jumpWall();
                    case LEDGER_JUMPS -> jumpLedger();
                    case HARDLY, SUSPENDED -> {
                    }
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void jumpWall() {
        SimulatedNode node = cluster.any();
        if (node != null) {
            Duration by = Duration.ofSeconds(random.nextInt(3_600) - 1_800L);
            node.clocks.jumpWall(by);
            story.note("the wall clock of " + node.name + " jumps by " + by);
        }
    }

    private void jumpLedger() {
        Duration by = Duration.ofSeconds(random.nextInt(random.nextBoolean() ? 5 : 600));
        if (jumped.plus(by).compareTo(MOST_JUMPED) < 0) {
            jumped = jumped.plus(by);
            world.memory.advance(by);
            story.note("the ledger's clock jumps by " + by);
        }
    }

    int forwards() {
        return downstream.forwards();
    }

    /// Answers by their kind.
    List<String> answers() {
        return callers.told().stream().map(each -> Replicas.text(each.answer())).toList();
    }

    /// The run in words.
    String story() {
        List<String> wrong = story.wrongs();
        return "seed " + seed + "\n" + scenario + "\n" + story + "\n"
                + (wrong.isEmpty() ? ALL_IS_WELL : String.join("\n", wrong));
    }
}

package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Somebody who looks at the downstream, says honestly and some time later what was to be seen, and erases what is asked
/// for.
final class SimulatedOperator {

    private static final String WHO = "operator";

    private final Replicas world;
    private final Random random;
    private final Scenario scenario;
    private final Cluster cluster;
    private final Chronicle chronicle;
    private final SimulatedDownstream downstream;
    private final Story story;
    /// Looks again before it has spoken, and speaks long afterwards: without the guard that makes the difference.
    private final boolean hasty;

    SimulatedOperator(
            SimulatedNode.Site site, Cluster cluster, Chronicle chronicle, Story story) {
        this.world = site.world();
        this.random = site.random();
        this.scenario = site.scenario();
        this.cluster = cluster;
        this.chronicle = chronicle;
        this.downstream = site.downstream();
        this.story = story;
        this.hasty = site.missing() == Guard.VERDICT_BOUND_TO_ATTEMPT;
    }

    void begin() {
        if (scenario.operator()) {
            world.stage.execute(this::rounds);
        }
        if (scenario.erases()) {
            world.stage.execute(this::erase);
        }
    }

    private void rounds() {
        try {
            while (true) {
                world.stage.sleep(Duration.ofSeconds(hasty ? random.nextInt(5) : 20 + random.nextInt(60)));
                Instant asOf = world.memory.now();
                List<Entry> doubts = world.memory.list(
                        new Ledger.Query(State.IN_DOUBT, null, null, null, null, 100, null)).entries();
                List<Boolean> acted = doubts.stream().map(this::hasActed).toList();
                if (hasty) {
                    world.stage.execute(() -> speakLater(doubts, acted, asOf));
                } else {
                    speak(doubts, acted, asOf);
                }
            }
        } catch (InterruptedException | ExecutionException e) {
            story.wrong("the operator gave up: " + e);
        }
    }

    private void speakLater(List<Entry> doubts, List<Boolean> acted, Instant asOf) {
        try {
            speak(doubts, acted, asOf);
        } catch (InterruptedException | ExecutionException e) {
            story.wrong("the operator gave up: " + e);
        }
    }

    private void speak(List<Entry> doubts, List<Boolean> acted, Instant asOf)
            throws InterruptedException, ExecutionException {
        world.stage.sleep(Duration.ofMillis(downstream.isCalm() ? 1 : random.nextInt(hasty ? 60_000 : 20_000)));
        if (!doubts.isEmpty() && !acted.contains(true) && random.nextInt(3) == 0) {
            notExecuted(asOf);
        } else {
            for (int i = 0; i < doubts.size(); i++) {
                judge(doubts.get(i), acted.get(i), asOf);
            }
        }
    }

    private boolean hasActed(Entry entry) {
        return !downstream.effects(entry.key(), chronicle.now(entry.key()).epoch()).isEmpty();
    }

    private void judge(Entry entry, boolean acted, Instant asOf) throws InterruptedException, ExecutionException {
        boolean withResponse = random.nextBoolean();
        Verdict verdict = acted
                ? new Verdict.Executed(
                        withResponse ? 201 : null, Headers.empty(), withResponse ? Body.ofUtf8("by verdict") : null,
                        "seen", WHO)
                : new Verdict.NotExecuted(asOf, "not seen", WHO);
        say(entry.key() + (acted ? " executed" : " not executed"), node -> node.verdicts.settle(entry.id(), verdict));
    }

    private void notExecuted(Instant asOf) throws InterruptedException, ExecutionException {
        say("nothing executed", node -> node.verdicts.settleAll(
                new Verdicts.Filter("payments", null, null), new Verdict.NotExecuted(asOf, "not seen", WHO)));
    }

    private void erase() {
        try {
            world.stage.sleep(Duration.ofMillis(random.nextLong(Simulation.STORM.toMillis())));
            String key = "key-" + random.nextInt(scenario.keys());
            say("erase " + key, node -> node.verdicts.erase(Replicas.id(key), "asked for", WHO));
        } catch (InterruptedException | ExecutionException e) {
            story.wrong("the operator gave up: " + e);
        }
    }

    private interface Saying {
        Object to(SimulatedNode node);
    }

    private void say(String what, Saying saying) throws InterruptedException, ExecutionException {
        SimulatedNode node = cluster.any();
        if (node == null) {
            return;
        }
        Callable<Object> work = () -> {
            try {
                return saying.to(node);
            } catch (LedgerUnavailable e) {
                return "ledger away";
            }
        };
        try {
            Object came = world.stage.await(node.life.start(work), Duration.ofMinutes(10));
            story.note("operator: " + what + ": " + text(came));
        } catch (TimeoutException e) {
            story.note("operator: " + what + ": no answer");
        }
    }

    private static String text(Object came) {
        return came instanceof Verdicts.Outcome.Refused refused
                ? refused.refusal().problem().slug()
                : came instanceof Verdicts.Outcome.Settled settled
                        ? String.valueOf(settled.now().entry().state())
                        : String.valueOf(came);
    }
}

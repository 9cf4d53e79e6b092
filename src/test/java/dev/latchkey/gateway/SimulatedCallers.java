package dev.latchkey.gateway;

import dev.latchkey.http.Headers;
import dev.latchkey.protocol.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Whoever calls in a [Simulation]: equal and changed requests under a few keys, many of them again and again until
/// something is recorded.
final class SimulatedCallers {

    private static final Duration STORM = Simulation.STORM;

    private final Stage stage;
    private final Random random;
    private final Scenario scenario;
    private final Cluster cluster;
    private final Chronicle chronicle;
    private final Story story;
    private final List<Told> told = new ArrayList<>();
    private final Map<Integer, SimulatedNode> open = new HashMap<>();
    private final Map<String, Answer> rejections = new HashMap<>();
    private final boolean cachesRejections;
    private int calls;

    /// An answer that somebody got.
    ///
    /// @param begin when the call began
    /// @param at when it was answered
    /// @param epoch of its key when it began
    record Told(int call, String key, String body, Duration begin, Duration at, int epoch, Answer answer) {
        @Override
        public String toString() {
            return "call " + call + " " + key + " " + body + " " + Replicas.text(answer);
        }
    }

    SimulatedCallers(
            Stage stage, Random random, Scenario scenario, Cluster cluster, Chronicle chronicle, Story story,
            Guard missing) {
        this.stage = stage;
        this.random = random;
        this.scenario = scenario;
        this.cluster = cluster;
        this.chronicle = chronicle;
        this.story = story;
        this.cachesRejections = missing == Guard.REJECTIONS_NOT_CACHED;
    }

    void begin() {
        for (int i = 0; i < scenario.calls(); i++) {
            String key = "key-" + random.nextInt(scenario.keys());
            String body = switch (random.nextInt(8)) {
                case 0 -> "{\"other\":1}";
                case 1, 2 -> "{\"bad\":1}";
                default -> "{}";
            };
            Duration first = Duration.ofMillis(
                    random.nextBoolean() ? random.nextInt(300) : random.nextLong(STORM.toMillis()));
            int tries = 1 + random.nextInt(4);
            stage.execute(() -> {
                try {
                    stage.sleep(first);
                    callAgain(key, body, tries);
                } catch (InterruptedException | ExecutionException e) {
                    story.wrong("a call broke: " + e);
                }
            });
        }
    }

    private void callAgain(String key, String body, int tries) throws InterruptedException, ExecutionException {
        for (int i = 0; i < tries; i++) {
            SimulatedNode node = cluster.any();
            Answer answer = node == null ? null : call(node, key, body);
            boolean done = answer instanceof Answer.Delivered delivered && delivered.state() == State.RECORDED;
            if (done && random.nextInt(3) > 0) {
                return;
            }
            stage.sleep(Duration.ofMillis(random.nextInt(random.nextBoolean() ? 2_000 : 240_000)));
        }
    }

    /// One call.
    ///
    /// @return null: its replica died
    private @Nullable Answer call(SimulatedNode node, String key, String body)
            throws InterruptedException, ExecutionException {
        int number = calls++;
        Duration begin = stage.passed();
        int epoch = chronicle.now(key).epoch();
        Duration patience = random.nextInt(3) == 0 ? Duration.ofSeconds(random.nextInt(50)) : null;
        story.note("call " + number + " " + key + " " + body + " on " + node.name);
        open.put(number, node);
        try {
            Headers headers = Headers.of("Call", "call-" + number, "Key", key);
            Answer kept = rejections.get(node.name + key + body);
            Answer answer = kept != null
                    ? kept
                    : stage.await(node.replica.call(key, "POST", body, patience, headers), Duration.ofHours(2));
            told.add(new Told(number, key, body, begin, stage.passed(), epoch, answer));
            story.note("call " + number + " is told " + Replicas.text(answer));
            if (cachesRejections && answer instanceof Answer.Delivered it && it.state() == State.RECORDED
                    && it.response().status() >= 400) {
                rejections.put(node.name + key + body, answer);
            }
            if (answer instanceof Answer.Streamed streamed) {
                take(node, streamed, random.nextInt(4) == 0 ? random.nextInt(60) : 0);
            }
            open.remove(number);
            return answer;
        } catch (TimeoutException e) {
            return null;
        }
    }

    private void take(SimulatedNode node, Answer.Streamed streamed, int slow)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Boolean> taken = node.life.start(() -> {
            stage.sleep(Duration.ofSeconds(slow));
            try {
                streamed.body().writeTo(new ByteArrayOutputStream());
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        story.note(stage.await(taken, Duration.ofHours(2)) ? "whole" : "cut");
    }

    List<Told> told() {
        return told;
    }

    /// Calls that living replicas have not answered.
    List<Integer> unanswered() {
        return open.entrySet().stream().filter(call -> !call.getValue().life.isDead()).map(Map.Entry::getKey).toList();
    }
}

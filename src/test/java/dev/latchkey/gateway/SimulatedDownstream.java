package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A downstream where anything may happen, as the seed says, and that counts what took effect. What it says of statuses it
/// means: 429 and 422 did nothing. It may take part in deduplication, for so long after a key came first.
final class SimulatedDownstream {

    private final Stage stage;
    private final Random random;
    private final Scenario scenario;
    private final Chronicle chronicle;
    private final Story story;
    private final List<Effect> effects = new ArrayList<>();
    private final Map<String, Done> done = new HashMap<>();
    private final Set<String> sentKeys = new HashSet<>();
    private final List<Message> sent = new ArrayList<>();
    private boolean calm;

    /// A request on its way.
    ///
    /// @param key the caller's
    /// @param call which one
    /// @param downstreamKey with the field that carried it
    /// @param sentAt when its first byte left
    /// @param epoch of the key, when it was sent
    record Message(String key, String call, String body, String downstreamKey, Duration sentAt, int epoch) {}

    /// One effect.
    record Effect(Message of, Duration at) {}

    private record Done(String result, Duration until) {}

    SimulatedDownstream(Stage stage, Random random, Scenario scenario, Chronicle chronicle, Story story) {
        this.stage = stage;
        this.random = random;
        this.scenario = scenario;
        this.chronicle = chronicle;
        this.story = story;
    }

    /// From now on it answers, and at once.
    void calmDown() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    /// The first byte leaves.
    Message sends(Forward forward) {
        String key = forward.headers().first("Key").orElseThrow();
        Message message = new Message(
                key, forward.headers().first("Call").orElseThrow(), forward.body().utf8(), downstreamKey(forward),
                stage.passed(), chronicle.now(key).epoch());
        sent.add(message);
        story.note("  " + message.call() + " is sent under " + text(message.downstreamKey()));
        return message;
    }

    /// Whether the downstream may know the key already.
    boolean isCopy(Forward forward) {
        return !sentKeys.add(downstreamKey(forward));
    }

    private static String downstreamKey(Forward forward) {
        for (String header : List.of("Idempotency-Key", "Other-Key")) {
            String value = forward.headers().first(header).orElse(null);
            if (value != null) {
                return header + " " + value;
            }
        }
        throw new IllegalStateException("sent without a key");
    }

    private static String text(String downstreamKey) {
        int value = downstreamKey.indexOf(' ') + 1;
        return downstreamKey.substring(0, value) + downstreamKey.substring(value, value + 4);
    }

    /// What comes of a request that has arrived.
    Outcome arrives(Message message) {
        int fate = calm ? 99 : random.nextInt(100);
        if (fate < 8) {
            return answer(500 + random.nextInt(4), "failed before it acted");
        }
        if (fate < 16) {
            return answer(429, "too many");
        }
        Done before = done.get(message.downstreamKey());
        if (scenario.deduplicates() != null && before != null && before.until().compareTo(stage.passed()) > 0) {
            return fate < 30 ? answer(409, "a copy") : answer(201, before.result());
        }
        if (message.body().contains("bad") || (fate >= 24 && fate < 27)) {
            return answer(422, "bad request");
        }
        return acts(message, fate);
    }

    private Outcome acts(Message message, int fate) {
        String result = "done " + random.nextInt(1_000_000);
        Duration window = scenario.deduplicates() == null ? Duration.ofDays(1) : scenario.deduplicates();
        done.put(message.downstreamKey(), new Done(result, stage.passed().plus(window)));
        effects.add(new Effect(message, stage.passed()));
        story.note("  " + message.call() + " TAKES EFFECT for " + message.key() + " " + message.body());
        return fate < 24 ? answer(500, "failed after it acted") : answer(201, result);
    }

    private static Outcome answer(int status, String body) {
        return new Outcome.Answered(status, Headers.of("Content-Type", "text/plain"), Body.ofUtf8(body), true);
    }

    /// What it says when it is asked what became of a downstream key. In the end it says what it knows.
    Outcome asked(String downstreamKey) {
        int fate = calm ? 99 : random.nextInt(100);
        Done known = done.get(downstreamKey);
        story.note("  lookup of " + text(downstreamKey) + ": " + (known == null ? "nothing" : "done"));
        if (fate < 10) {
            return new Outcome.Unknown(Cause.TIMEOUT);
        }
        if (fate < 20) {
            return json(fate < 15 ? 500 : 404, "{\"error\":1}");
        }
        if (fate < 25) {
            return new Outcome.Answered(200, Headers.empty(), Body.ofUtf8("<html>"), true);
        }
        if (fate < 30) {
            return json(200, "{\"data\":[\"both\"],\"none\":true}");
        }
        return known == null
                ? json(200, "{\"data\":[],\"none\":true}")
                : json(200, "{\"data\":[\"" + known.result() + "\"]}");
    }

    private static Outcome json(int status, String body) {
        return new Outcome.Answered(status, Headers.of("Content-Type", "application/json"), Body.ofUtf8(body), true);
    }

    /// What took effect under a caller's key since it was forgotten last.
    List<Effect> effects(String key, int epoch) {
        return effects.stream()
                .filter(each -> each.of().key().equals(key) && each.of().epoch() == epoch)
                .toList();
    }

    List<Effect> effects() {
        return effects;
    }

    boolean everSent(String key) {
        return sent.stream().anyMatch(each -> each.key().equals(key));
    }

    /// How often the call was forwarded.
    long forwardsOf(String call) {
        return sent.stream().filter(each -> each.call().equals(call)).count();
    }

    int forwards() {
        return sent.size();
    }

    /// What happened to a response on its way back; null: nothing.
    @Nullable
    Outcome lostOnTheWay() {
        return !calm && random.nextInt(100) < 10
                ? new Outcome.Unknown(random.nextBoolean() ? Cause.CONNECTION_LOST : Cause.MALFORMED_RESPONSE)
                : null;
    }
}

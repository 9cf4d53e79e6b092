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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// A downstream where anything may happen, as the seed says, and that counts what took effect. What it was sent may arrive
/// late, but no later than it is allowed to (contract §1 d).
final class SimulatedDownstream implements Downstream {

    private final Stage stage;
    private final Random random;
    private final Duration latest;
    private final boolean deduplicates;
    private final boolean heedsWindow;
    private final Map<String, List<String>> effects = new HashMap<>();
    private final Map<String, String> done = new HashMap<>();
    private final Set<String> sent = new HashSet<>();
    private final List<String> callsSent = new ArrayList<>();
    private boolean calm;

    /// @param latest how long after it was sent a request may still act
    /// @param heedsWindow whether its client asks, before the first byte, if it may still send
    SimulatedDownstream(Stage stage, Random random, Duration latest, boolean deduplicates, boolean heedsWindow) {
        this.stage = stage;
        this.random = random;
        this.latest = latest;
        this.deduplicates = deduplicates;
        this.heedsWindow = heedsWindow;
    }

    /// From now on it answers, and at once.
    void calmDown() {
        calm = true;
    }

    @Override
    public Outcome send(Forward forward, SendWindow window, Duration patience, Overflow overflow) {
        String key = forward.headers().first("Key").orElseThrow();
        if (chance(8)) {
            return new Outcome.NotSent("refused");
        }
        stall(chance(5) ? 12_000 : chance(3) ? 900_000 : 50);
        if (heedsWindow && !window.isOpen()) {
            return new Outcome.NotSent("too late to send");
        }
        sent.add(key);
        callsSent.add(forward.headers().first("Call").orElseThrow());
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            outcome.complete(receive(forward, key, overflow));
        });
        try {
            return stage.await(outcome, patience);
        } catch (TimeoutException e) {
            return new Outcome.Unknown(Cause.TIMEOUT);
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Outcome receive(Forward forward, String key, Overflow overflow) {
        stall(chance(10) ? latest.toMillis() : 200);
        Outcome outcome = act(forward, key);
        stall(chance(10) ? 60_000 : 200);
        if (chance(10)) {
            return new Outcome.Unknown(chance(50) ? Cause.CONNECTION_LOST : Cause.MALFORMED_RESPONSE);
        }
        if (outcome instanceof Outcome.Answered answered && chance(5)) {
            overflow.begin(answered.status(), answered.headers(),
                    answered.body() == null ? Body.empty() : answered.body(), -1);
            stall(100);
            overflow.more(new byte[] {1});
            return new Outcome.Answered(answered.status(), answered.headers(), null, true);
        }
        return outcome;
    }

    private Outcome act(Forward forward, String key) {
        int fate = calm ? 99 : random.nextInt(100);
        if (fate < 8) {
            return answer(500 + random.nextInt(4), "failed before it acted");
        }
        if (fate < 16) {
            return answer(429, "too many");
        }
        if (forward.body().utf8().contains("bad")) {
            return answer(422, "bad request");
        }
        String downstreamKey = forward.headers().first("Idempotency-Key").orElseThrow();
        String before = done.get(downstreamKey);
        if (deduplicates && before != null) {
            return fate < 30 ? answer(409, "a copy") : answer(201, before);
        }
        String result = "done " + random.nextInt();
        done.put(downstreamKey, result);
        effects.computeIfAbsent(key, k -> new ArrayList<>()).add(forward.body().utf8());
        return fate < 24 ? answer(500, "failed after it acted") : answer(201, result);
    }

    private static Outcome answer(int status, String body) {
        return new Outcome.Answered(status, Headers.of("Content-Type", "text/plain"), Body.ofUtf8(body), true);
    }

    private boolean chance(int percent) {
        return !calm && random.nextInt(100) < percent;
    }

    private void stall(long millis) {
        try {
            stage.sleep(Duration.ofMillis(calm ? 1 : random.nextLong(millis) + 1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The bodies of what took effect under a caller's key, one for each time.
    List<String> effects(String key) {
        return effects.getOrDefault(key, List.of());
    }

    boolean everSent(String key) {
        return sent.contains(key);
    }

    /// How often the call was forwarded.
    long forwardsOf(String call) {
        return callsSent.stream().filter(call::equals).count();
    }

    int forwards() {
        return callsSent.size();
    }

    @Override
    public void close() {}
}

package dev.latchkey.gateway;

import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.protocol.Transition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// One seeded run: calls on a few keys through two replicas, with the real call, waiting, sweeper and cache, over a ledger
/// and a downstream where anything may fail; somebody looks at the downstream and settles what is in doubt. Then all calms
/// down, and what every call was told is held against what happened.
final class Simulation {

    static final Duration SETTLE_DELAY = Duration.ofMinutes(5);
    /// How long all may go on before it calms down.
    private static final Duration STORM = Duration.ofMinutes(15);

    private final long seed;
    private final Replicas world;
    private final Random random;
    private final SimulatedDownstream downstream;
    private final SimulatedTrouble trouble;
    private final Route route;
    private final List<Replicas.Replica> replicas = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final int keys;
    private boolean storm = true;

    private record Told(int call, String key, String body, Answer answer) {}

    /// @param missing the guard to do without
    Simulation(long seed, BrokenLedger.Guard missing) {
        this.seed = seed;
        this.world = new Replicas(seed);
        this.random = new Random(seed ^ 0x5EED);
        boolean deduplicates = random.nextInt(3) == 0;
        this.route = Replicas.route(
                "payments", deduplicates ? Duration.ofHours(24) : null, false, Statuses.usual());
        this.downstream = new SimulatedDownstream(
                world.stage, random, SETTLE_DELAY.minusSeconds(60), deduplicates,
                missing != BrokenLedger.Guard.SEND_WINDOW);
        this.trouble = new SimulatedTrouble(world.stage, random, random.nextInt(4) == 0 ? 0 : 8);
        Faulty ledger = new Faulty(new BrokenLedger(world.memory, missing));
        ledger.trouble(trouble);
        for (int i = 0; i < 2; i++) {
            replicas.add(world.replica(ledger, world.stage, new Replicas.Size(6, 20), downstream, route));
        }
        this.keys = 1 + random.nextInt(3);
        trace.add(deduplicates ? "the downstream deduplicates" : "the downstream does not deduplicate");
        upkeep(ledger);
        if (!deduplicates || random.nextBoolean()) {
            settler(ledger);
        }
    }

    /// What is wrong; empty: nothing.
    List<String> run() {
        int calls = 4 + random.nextInt(12);
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            all.add(call(i));
        }
        world.stage.advance(STORM);
        storm = false;
        trouble.calmDown();
        downstream.calmDown();
        world.stage.advance(Duration.ofMinutes(20));
        for (int i = 0; i < calls; i++) {
            if (!all.get(i).isDone()) {
                wrong.add("call " + i + " was never answered");
            } else if (all.get(i).isCompletedExceptionally()) {
                wrong.add("call " + i + " broke: " + all.get(i).exceptionNow());
            }
        }
        keysEndWell();
        answersStayTrue();
        nothingIsLeft();
        return wrong;
    }

    private CompletableFuture<Boolean> call(int number) {
        String key = "key-" + random.nextInt(keys);
        String body = switch (random.nextInt(8)) {
            case 0 -> "{\"other\":1}";
            case 1, 2 -> "{\"bad\":1}";
            default -> "{}";
        };
        Duration patience = random.nextInt(3) == 0 ? Duration.ofSeconds(random.nextInt(50)) : null;
        Replicas.Replica replica = replicas.get(random.nextInt(replicas.size()));
        long when = random.nextBoolean() ? random.nextInt(300) : random.nextLong(STORM.toMillis());
        boolean slow = random.nextInt(4) == 0;
        return world.stage.start(() -> {
            world.stage.sleep(Duration.ofMillis(when));
            note("call " + number + " " + key + " " + body + " begins");
            boolean acted = !downstream.effects(key).isEmpty();
            CompletableFuture<Answer> call = replica.call(
                    key, "POST", body, patience, Headers.of("Call", "call-" + number, "Key", key));
            Answer answer = call.get();
            note("call " + number + " is told " + Replicas.text(answer));
            told.add(new Told(number, key, body, answer));
            speaksOfTheKey(number, acted, answer);
            if (answer instanceof Answer.Streamed streamed) {
                take(streamed, slow);
            }
            return true;
        });
    }

    private void take(Answer.Streamed streamed, boolean slow) throws InterruptedException {
        if (slow) {
            world.stage.sleep(Duration.ofSeconds(random.nextInt(60)));
        }
        try {
            streamed.body().writeTo(new ByteArrayOutputStream());
        } catch (IOException e) {
            note("cut");
        }
    }

    /// @param acted whether the key had taken effect when the call began: what came later is another call's, whose claim came
    ///     after this one's release
    private void speaksOfTheKey(int number, boolean acted, Answer answer) {
        Refusal refusal = answer instanceof Answer.Refused refused ? refused.refusal() : null;
        if (refusal != null && acted && (refusal.forwarded() == Refusal.Forwarded.NO || refusal.newKeySafe())) {
            wrong.add("call " + number + " was told that no effect can exist, yet it had acted");
        }
        if (refusal != null && refusal.forwarded() == Refusal.Forwarded.NO
                && downstream.forwardsOf("call-" + number) > 0) {
            wrong.add("call " + number + " was told that it was not forwarded, and it was");
        }
    }

    private void upkeep(Ledger ledger) {
        Sweeper sweeper = new Sweeper(ledger);
        world.stage.execute(() -> {
            while (true) {
                try {
                    world.stage.sleep(Duration.ofSeconds(5));
                    sweeper.runOnce();
                } catch (LedgerUnavailable e) {
                    note("sweeper: ledger away");
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    /// Looks at the downstream, and says some time later what it saw (G4, G5).
    private void settler(Ledger ledger) {
        world.stage.execute(() -> {
            while (true) {
                try {
                    world.stage.sleep(Duration.ofSeconds(20 + random.nextInt(60)));
                    for (Entry entry : world.memory.list(
                            new Ledger.Query(State.IN_DOUBT, null, null, null, null, 100, null)).entries()) {
                        judge(ledger, entry);
                    }
                } catch (LedgerUnavailable e) {
                    note("settler: ledger away");
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    private void judge(Ledger ledger, Entry entry) throws InterruptedException {
        Instant asOf = world.memory.now();
        boolean happened = !downstream.effects(entry.key()).isEmpty();
        world.stage.sleep(Duration.ofMillis(storm ? random.nextLong(20_000) : 1));
        Transition verdict = happened
                ? new Transition.Executed(
                        world.nextLong(), 201, Headers.empty(), null, "verdict", "seen", Retention.usual())
                : new Transition.NotExecuted(
                        asOf, SETTLE_DELAY, route.deduplicates(), route.timeout(), "verdict", "not seen");
        Ledger.Settled settled = ledger.settle(entry.id(), entry.attempt(), verdict);
        note("verdict " + entry.key() + (happened ? " executed " : " not executed ")
                + settled.getClass().getSimpleName());
    }

    private void keysEndWell() {
        for (int i = 0; i < keys; i++) {
            String key = "key-" + i;
            int effects = downstream.effects(key).size();
            if (effects > 1) {
                wrong.add(key + " took effect " + effects + " times: " + downstream.effects(key));
            }
            Found found = world.memory.find(id(key));
            State state = found == null ? State.RELEASED : found.entry().state();
            if (state == State.CLAIMED) {
                wrong.add(key + " is still claimed");
            }
            if (state == State.IN_DOUBT && !downstream.everSent(key)) {
                wrong.add(key + " is in doubt though not a byte was ever sent");
            }
            if (state == State.RELEASED && effects > 0) {
                wrong.add(key + " is free though it took effect");
            }
        }
    }

    private static EntryId id(String key) {
        return Replicas.id(key);
    }

    private void answersStayTrue() {
        for (Told each : told) {
            long forwards = downstream.forwardsOf("call-" + each.call());
            if (forwards > 1) {
                wrong.add("call " + each.call() + " was forwarded " + forwards + " times");
            }
            switch (each.answer()) {
                case Answer.Refused refused -> staysTrue(each, refused.refusal(), forwards);
                case Answer.Delivered delivered when delivered.state() == State.RECORDED -> staysTrue(each, delivered);
                case Answer.Delivered other -> {
                }
                case Answer.Streamed streamed -> {
                }
            }
        }
    }

    /// G8, and: who is told that this call forwarded nothing hears the truth for ever.
    private void staysTrue(Told each, Refusal refusal, long forwards) {
        boolean mayHave = refusal.status() == 502 || refusal.status() == 504;
        // An attempt that lost its compare-and-set may be told what the ledger holds: that it is gone, or another's.
        boolean fenced = refusal.status() == 409 || refusal.status() == 410 || refusal.status() == 422;
        if (!mayHave && !fenced && forwards > 0) {
            wrong.add("call " + each.call() + " was told " + refusal.status() + ", and was forwarded");
        }
    }

    /// Only what was called recorded binds: it is the answer, until a correction.
    private void staysTrue(Told each, Answer.Delivered delivered) {
        Found found = world.memory.find(id(each.key()));
        int status = delivered.response().status();
        if (status < 400) {
            Integer now = found == null ? null : found.entry().status();
            boolean same = found != null && found.entry().state() == State.RECORDED && now != null && now == status
                    && sameBody(found, delivered);
            if (!same) {
                wrong.add("call " + each.call() + " was told " + status + " as recorded; now it is " + describe(found));
            }
            if (downstream.effects(each.key()).isEmpty()) {
                wrong.add("call " + each.call() + " was told success, and nothing happened");
            }
        } else if (downstream.effects(each.key()).contains(each.body())) {
            wrong.add("call " + each.call() + " was told " + status + " as recorded, yet its request took effect");
        }
    }

    private static boolean sameBody(Found found, Answer.Delivered delivered) {
        var kept = found.response();
        return kept != null && Objects.equals(delivered.response().body(), kept.body());
    }

    private static String describe(@Nullable Found found) {
        return found == null ? "no entry" : found.entry().state() + " " + found.entry().status();
    }

    private void nothingIsLeft() {
        for (Replicas.Replica replica : replicas) {
            boolean idle = replica.places.taken() == 0 && replica.waiters.waiting() == 0
                    && replica.waiters.attempts() == 0
                    && replica.poller.watching() == 0 && replica.budget.held() == 0 && replica.keyed.abandoned() == 0;
            if (!idle) {
                wrong.add("left: " + replica.places.taken() + " places, " + replica.waiters.waiting() + " waiting, "
                        + replica.waiters.attempts() + " attempts, " + replica.poller.watching() + " watches, "
                        + replica.budget.held() + " bytes, " + replica.keyed.abandoned() + " abandoned");
            }
        }
    }

    private void note(String what) {
        trace.add(world.stage.passed() + " " + what);
    }

    int forwards() {
        return downstream.forwards();
    }

    /// Answers by their kind.
    List<String> answers() {
        return told.stream().map(each -> Replicas.text(each.answer())).toList();
    }

    /// The run in words.
    String story() {
        return "seed " + seed + ": " + String.join("; ", wrong) + "\n" + String.join("\n", trace);
    }
}

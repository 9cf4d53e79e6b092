package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.model.Guard;
import dev.latchkey.model.Scenario;
import dev.latchkey.model.Trace;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Plays a trace of the exhaustive model with the real call, waiting and memory, on a real ledger: each move lets the call
/// that it names take its next step. A move for which nobody waits is passed over, for with all guards the real code leaves
/// the way to the wrong somewhere; in the end everybody goes on until all is over.
public final class Rehearsal {

    private static final String KEY = "order-shipped:1001:2026-01-04";
    private static final Duration SETTLE_DELAY = Duration.ofMinutes(5);
    private static final Duration WINDOW = Duration.ofHours(24);
    private static final Duration NOT_LONG = Duration.ofMillis(60);
    private static final Pattern ANSWERS = Pattern.compile("answers (\\d+)");

    private final Ledger ledger;
    private final Database database;
    private final Guard missing;
    private final Scenario scenario;
    private final Route route;
    private final Replicas world = new Replicas(1);
    private final Director director = new Director();
    private final List<Replicas.Replica> replicas = new ArrayList<>();
    private final Map<Integer, CompletableFuture<Answer>> calls = new TreeMap<>();
    private final Map<Integer, String> sent = new TreeMap<>();
    private final Map<Integer, Integer> answered = new TreeMap<>();
    private final Map<Integer, Director.Held> losers = new TreeMap<>();
    private final Map<Integer, Runnable> openTransactions = new TreeMap<>();
    private final Set<String> remembered = new HashSet<>();
    private final Set<Integer> dead = new HashSet<>();
    private final List<String> played = new ArrayList<>();
    private final List<Integer> effects = new ArrayList<>();
    private boolean acknowledged = true;
    private @Nullable String before;
    /// The settler has itself seen the attempt in doubt for the delay.
    private boolean watched;
    private @Nullable Look look;

    /// What somebody saw at the downstream.
    private record Look(long attempt, boolean happened, Instant asOf) {}

    /// The database behind the ledger, for making rows older and for losing a commit.
    public interface Database {

        /// Makes these times of the entry older.
        void age(String column, Duration by);

        /// The row as it is; null: none.
        @Nullable
        String row();

        /// Puts such a row in place of what is there.
        void restore(@Nullable String row);

        /// Deletes the row.
        void delete();
    }

    /// @param missing the guard to do without: only what is done here, around the real code, can be left out
    public Rehearsal(Ledger ledger, Database database, Guard missing, Scenario scenario) {
        this.ledger = ledger;
        this.database = database;
        this.missing = missing;
        this.scenario = scenario;
        Statuses statuses = new Statuses(Set.of(), scenario.recordsCopies() ? Set.of(409) : Set.of(), Set.of());
        this.route = Replicas.route("payments", scenario.deduplicates() ? WINDOW : null, false, statuses);
        for (int i = 0; i < 2; i++) {
            replicas.add(world.replica(
                    director.ledger(ledger), director.threads(world.stage), new Replicas.Size(10, 10), new Stub(),
                    route));
        }
    }

    /// Plays it, lets everything end, and tells what is wrong; empty: nothing.
    public List<String> play(Trace trace) {
        for (Trace.Move move : trace.moves()) {
            played.add(move.text());
            play(move);
            world.stage.settle();
        }
        finish();
        return wrong();
    }

    private void play(Trace.Move move) {
        int call = move.call();
        switch (move.name()) {
            case "arrives" -> arrive(call);
            case "claim" -> claim(call, move.text());
            case "claim, unacknowledged", "settle, unacknowledged" -> unacknowledged(call);
            case "claim, open" -> director.take(call, "claim").ifPresent(held -> {
                openTransactions.put(call, held::done);
                held.fail(unknown());
            });
            case "commits late" -> {
                Runnable open = openTransactions.remove(call);
                if (open != null) {
                    write(open);
                }
            }
            case "look" -> look(call);
            case "confirm", "confirmed" -> director.take(call, "confirm", "find").ifPresent(
                    held -> write(held::go));
            case "give up" -> giveUp(call);
            case "abandon", "settle", "put back", "sweep" -> settle(call);
            case "stalls" -> world.stage.advance(Duration.ofSeconds(6));
            case "check" -> go(call, "check");
            case "refused" -> director.take(call, "check").ifPresent(
                    held -> held.tell(new Outcome.NotSent("refused")));
            case "send" -> go(call, "send");
            case "downstream" -> downstream(call, move.text());
            case "hear" -> director.take(call, "hear").ifPresent(held -> held.tell(heard(call)));
            case "time out" -> director.take(call, "hear").ifPresent(
                    held -> held.tell(new Outcome.Unknown(Cause.TIMEOUT)));
            case "time" -> time(move.text());
            case "sweeper" -> ledger.sweep(10);
            case "purger" -> ledger.purge(10, Duration.ZERO);
            case "lookup", "operator", "verdict" -> lookOrSettle(move.text());
            case "watch" -> watch();
            case "failover" -> failOver();
            case "crash" -> crash(move.text().contains("replica 1") ? 0 : 1);
            default -> {
                // Memory and the ends of waits go their own way.
            }
        }
    }

    private void arrive(int call) {
        String body = scenario.bodies().get(call) == 0 ? "{\"amount\":1}" : "{\"amount\":2}";
        Replicas.Replica replica = replicas.get(scenario.replicas().get(call));
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        calls.put(call, answer);
        world.stage.execute(() -> director.as(call, () -> {
            try {
                answer.complete(replica.calls.answer(CallsOf.keyed(replica, KEY, body)));
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        }));
    }

    private void go(int call, String name) {
        director.take(call, name).ifPresent(Director.Held::go);
    }

    private void write(Runnable work) {
        String row = database.row();
        work.run();
        committed(row, true);
    }

    private void committed(@Nullable String row, boolean known) {
        before = row;
        acknowledged = known;
    }

    private void claim(int call, String text) {
        director.take(call, "claim").ifPresent(held -> {
            String row = database.row();
            Object came = held.done();
            if (came instanceof Ledger.Claimed.Won) {
                committed(row, true);
            }
            if (came instanceof Ledger.Claimed.Lost && text.contains("loses")) {
                // It reads what the ledger holds when the trace says so.
                losers.put(call, held);
            } else {
                held.tell(came);
            }
        });
    }

    private void look(int call) {
        Director.Held loser = losers.remove(call);
        if (loser != null) {
            Found found = ledger.find(Replicas.id(KEY));
            loser.tell(loser.name().equals("claim")
                    ? new Ledger.Claimed.Lost(found)
                    : new Ledger.Settled.Lost(found));
        }
    }

    private void settle(int call) {
        if (director.take(call, "settle", "putBack").map(this::settle).isEmpty()) {
            world.stage.advance(NOT_LONG);
            director.take(call, "settle", "putBack").ifPresent(this::settle);
        }
    }

    private boolean settle(Director.Held held) {
        String row = database.row();
        Object came = held.done();
        if (came instanceof Ledger.Settled.Lost) {
            losers.put(held.call(), held);
        } else {
            committed(row, true);
            held.tell(came);
        }
        return true;
    }

    private void unacknowledged(int call) {
        director.take(call, "claim", "settle").ifPresent(held -> {
            String row = database.row();
            held.done();
            committed(row, false);
            held.fail(unknown());
        });
        world.stage.settle();
        world.stage.advance(NOT_LONG);
    }

    private static LedgerUnavailable unknown() {
        return new LedgerUnavailable("acknowledgement lost", true, null);
    }

    private void giveUp(int call) {
        for (int i = 0; i < 100; i++) {
            director.take(call, "confirm", "find").ifPresent(held -> held.fail(
                    new LedgerUnavailable("away", false, null)));
            world.stage.advance(NOT_LONG);
        }
    }

    private void watch() {
        for (int i = 0; i < 10; i++) {
            director.take(-1, "look").ifPresent(Director.Held::go);
            world.stage.advance(Duration.ofMillis(100));
        }
    }

    private void downstream(int call, String text) {
        String key = sent.get(call);
        if (key == null) {
            return;
        }
        Matcher status = ANSWERS.matcher(text);
        if (!status.find()) {
            return;
        }
        boolean copy = scenario.deduplicates() && remembered.contains(key);
        if (text.contains("acts") && !copy) {
            effects.add(call);
            remembered.add(key);
        }
        answered.put(call, Integer.parseInt(status.group(1)));
    }

    private Outcome heard(int call) {
        Integer status = answered.get(call);
        return status == null
                ? new Outcome.Unknown(Cause.TIMEOUT)
                : new Outcome.Answered(status, Headers.empty(), Body.ofUtf8("answer to " + call), true);
    }

    private void time(String text) {
        if (text.contains("lease")) {
            database.age("lease_until", Replicas.LEASE.plusSeconds(1));
            world.stage.advance(Duration.ofSeconds(6));
        } else if (text.contains("jumps")) {
            database.age("lease_until", SETTLE_DELAY);
        } else if (text.contains("settle delay")) {
            database.age("lease_until", SETTLE_DELAY);
            watched = true;
            if (missing != Guard.G22) {
                // What was on its way died with its connection, or has arrived by now.
                sent.keySet().removeIf(call -> !answered.containsKey(call));
            }
        } else if (text.contains("about to close")) {
            database.age("first_forward_at", WINDOW.minusSeconds(15));
        } else if (text.contains("closed")) {
            database.age("first_forward_at", Duration.ofSeconds(30));
            remembered.clear();
        } else if (text.contains("retention")) {
            database.age("expires_at", Duration.ofHours(2));
        }
    }

    /// A lookup or an operator sees something, and says so later.
    private void lookOrSettle(String text) {
        Found found = ledger.find(Replicas.id(KEY));
        if (found == null) {
            return;
        }
        Entry entry = found.entry();
        Look seen = look;
        if (text.contains("asked") || text.contains("looks")) {
            look = new Look(entry.attempt(), !effects.isEmpty(), found.now());
        } else if (text.contains("erases")) {
            if (missing == Guard.G15) {
                database.delete();
            } else {
                ledger.erase(entry.id(), "asked for", "ann");
            }
        } else if (text.contains("settles") && seen != null) {
            look = null;
            Duration delay = missing == Guard.G4 ? Duration.ZERO : SETTLE_DELAY;
            if (!seen.happened && !watched && missing != Guard.G5_WATCH && missing != Guard.G4) {
                return;
            }
            Transition transition = seen.happened
                    ? new Transition.Executed(
                            world.nextLong(), 201, Headers.empty(), Body.ofUtf8("found"), "lookup", "seen",
                            Retention.usual())
                    : new Transition.NotExecuted(
                            seen.asOf, delay, route.deduplicates(), route.timeout(), "lookup", "not seen");
            ledger.settle(entry.id(), seen.attempt, transition);
        }
    }

    private void failOver() {
        if (!acknowledged || missing == Guard.G12) {
            database.restore(before);
            acknowledged = true;
        }
    }

    private void crash(int replica) {
        for (int call : calls.keySet()) {
            if (scenario.replicas().get(call) == replica) {
                dead.add(call);
            }
        }
    }

    /// Everybody goes on, the downstream answers what it was sent, and every lease ends.
    private void finish() {
        openTransactions.values().forEach(Runnable::run);
        for (int round = 0; round < 200; round++) {
            List.copyOf(losers.keySet()).forEach(this::look);
            for (var next = director.takeAny(); next.isPresent(); next = director.takeAny()) {
                Director.Held held = next.get();
                if (dead.contains(held.call())) {
                    continue;
                }
                if (held.name().equals("hear")) {
                    if (!answered.containsKey(held.call())) {
                        downstream(held.call(), "acts, answers 201");
                    }
                    held.tell(heard(held.call()));
                } else {
                    held.go();
                }
                world.stage.settle();
            }
            world.stage.advance(Duration.ofMillis(500));
            if (round == 100) {
                database.age("lease_until", Replicas.LEASE.plusSeconds(1));
                ledger.sweep(10);
            }
        }
    }

    private List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        if (effects.size() > 1) {
            wrong.add("took effect " + effects.size() + " times");
        }
        Found found = ledger.find(Replicas.id(KEY));
        State state = found == null ? State.RELEASED : found.entry().state();
        calls.forEach((call, answer) -> {
            if (dead.contains(call)) {
                return;
            }
            Answer told = Stage.now(answer);
            if (told == null) {
                wrong.add("call " + call + " was never answered");
            } else if (told instanceof Answer.Delivered it && it.state() == State.RECORDED
                    && it.response().status() < 400 && !held(found, it)) {
                wrong.add("call " + call + " was told " + Replicas.text(told) + ", and the entry is " + state);
            }
        });
        if (state == State.CLAIMED) {
            wrong.add("is still claimed");
        }
        if (state == State.RELEASED && !effects.isEmpty()) {
            wrong.add("is free, and took effect");
        }
        if (!wrong.isEmpty()) {
            wrong.addAll(played);
        }
        return wrong;
    }

    private static boolean held(@Nullable Found found, Answer.Delivered told) {
        return found != null && found.entry().state() == State.RECORDED
                && (found.entry().erased() || Integer.valueOf(told.response().status()).equals(found.entry().status()));
    }

    /// Each step of a forward waits.
    private final class Stub implements Downstream {

        @Override
        public Outcome send(Forward forward, SendWindow window, Duration patience, Overflow overflow) {
            Object refused = director.hold("check", () -> window.isOpen() ? null : new Outcome.NotSent("too late"));
            if (refused instanceof Outcome none) {
                return none;
            }
            int call = director.owner();
            director.hold("send", () -> {
                sent.put(call, forward.headers().first("Idempotency-Key").orElse(""));
                return null;
            });
            return (Outcome) Objects.requireNonNull(director.hold("hear", () -> heard(call)));
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.FingerprintKeys;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Traces;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Claims that callers hold, when acknowledgements are lost, and when their holders come and go as a seed says.
class HeldClaimsTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final HeldClaims.Terms TERMS =
            new HeldClaims.Terms(LEASE, Duration.ofHours(1), Duration.ofSeconds(50), Retention.usual());
    private static final Caller CALLER = Caller.named(Replicas.CLIENT);

    private final Replicas world = new Replicas(6);
    private final HeldClaims claims = claims(world);

    private static HeldClaims claims(Replicas world) {
        Poller poller = started(world, () -> new Poller(world.ledger, world.stage));
        return new HeldClaims(
                world.ledger, new Waiters(poller, world.stage, 100),
                new Places(9, ClientBounds.ofForwards(9, world.stage), Map.of()), world.stage, world::nextLong,
                world.stage,
                Replicas.METRICS, FingerprintKeys.NONE, TERMS);
    }

    /// A poller's thread is made by the thread that makes the poller.
    private static <T> T started(Replicas world, Callable<T> work) {
        CompletableFuture<T> made = world.stage.start(work);
        world.stage.settle();
        return made.join();
    }

    private static HeldClaims.Wanted wanted(boolean releasedOnExpiry, Duration patience) {
        Request request = new Request(
                "POST", HeldClaims.ROUTE, null, Headers.of("Content-Type", "application/json"),
                Body.ofUtf8("{\"effect\":\"drop a file\"}"));
        return new HeldClaims.Wanted(CALLER, IdempotencyKey.of("k"), request, null, releasedOnExpiry, patience,
                Traces.unsent(() -> 0, () -> 1).begin(Headers.empty(), "POST", true));
    }

    private static HeldClaims.Outcome claim(HeldClaims at, boolean releasedOnExpiry, Duration patience) {
        return at.claim(wanted(releasedOnExpiry, patience), 1_000);
    }

    private static HeldClaims.Used result(HeldClaims at, HeldClaims.Outcome.Held held, String text) {
        return at.result(
                held.entry().id(), CALLER, held.token(), Headers.of("Content-Type", "text/plain"), Body.ofUtf8(text));
    }

    private HeldClaims.Outcome claim() {
        return run(() -> claim(claims, false, Duration.ZERO));
    }

    private <T> T run(Callable<T> work) {
        return world.stage.await(world.stage.start(work), "the claim", Duration.ofMinutes(2));
    }

    private static HeldClaims.Outcome.Held held(HeldClaims.Outcome outcome) {
        if (outcome instanceof HeldClaims.Outcome.Held held) {
            return held;
        }
        throw new AssertionError("not held: " + outcome);
    }

    /// G7: confirmed by a write, the claim is this caller's.
    @Test
    void claimWhoseAcknowledgementIsLostIsConfirmedAndHeld() {
        world.ledger.loseAcknowledgement("claim");
        HeldClaims.Outcome.Held held = held(claim());
        assertThat(world.ledger.operations()).startsWith("claim", "confirm");
        assertThat(run(() -> result(claims, held, "done"))).isInstanceOf(HeldClaims.Used.Done.class);
    }

    /// G8, G9: whoever was told 503 holds nothing, and the key is not in doubt for it.
    @Test
    void claimThatCommitsAfterTheRefusalIsReleased() {
        List<Runnable> late = new ArrayList<>();
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public boolean now(String operation, Runnable write) {
                late.add(write);
                world.ledger.back();
                return false;
            }
        });
        assertThatThrownBy(this::claim).hasCauseInstanceOf(LedgerUnavailable.class);
        late.getFirst().run();
        assertThat(world.stateOf("k")).isEqualTo(State.CLAIMED);
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(world.stateOf("k")).isEqualTo(State.RELEASED);
        held(claim());
    }

    @ParameterizedTest
    @ValueSource(strings = {"result", "release", "renew"})
    void useWhoseAcknowledgementIsLostIsSafeToRepeat(String use) {
        HeldClaims.Outcome.Held held = held(claim());
        Callable<HeldClaims.Used> request = () -> switch (use) {
            case "result" -> result(claims, held, "done");
            case "release" -> claims.release(held.entry().id(), CALLER, held.token());
            default -> claims.renew(held.entry().id(), CALLER, held.token(), null);
        };
        world.ledger.loseAcknowledgement("settle");
        assertThatThrownBy(() -> run(request)).hasCauseInstanceOf(LedgerUnavailable.class);
        assertThat(run(request)).isInstanceOf(HeldClaims.Used.Done.class);
        // What was read may be lost in a failover: a write says that it is there (G7).
        assertThat(world.ledger.operations().contains("confirm")).isEqualTo(!use.equals("renew"));
    }

    /// A result that was read as recorded, and is gone when that is confirmed, is recorded anew.
    @Test
    void resultThatAFailoverLosesWhileItIsConfirmedIsRecordedAgain() {
        HeldClaims.Outcome.Held held = held(claim());
        MemoryLedger.Contents before = world.memory.contents();
        run(() -> result(claims, held, "done"));
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public boolean now(String operation, Runnable write) {
                if (operation.equals("confirm")) {
                    world.memory.replace(before);
                    world.ledger.back();
                }
                return true;
            }
        });
        assertThat(run(() -> result(claims, held, "done"))).isInstanceOf(HeldClaims.Used.Done.class);
        assertThat(world.stateOf("k")).isEqualTo(State.RECORDED);
    }

    /// Equal bytes do not make it the same holder's.
    @Test
    void resultOfAnotherIsNotTakenForOnesOwn() {
        HeldClaims.Outcome.Held late = held(run(() -> claim(claims, true, Duration.ZERO)));
        world.stage.advance(LEASE.plusSeconds(1));
        HeldClaims.Outcome.Held next = held(run(() -> claim(claims, true, Duration.ZERO)));
        assertThat(run(() -> result(claims, next, "done"))).isInstanceOf(HeldClaims.Used.Done.class);
        assertThat(run(() -> result(claims, late, "done"))).isInstanceOf(HeldClaims.Used.Refused.class);
        assertThat(run(() -> result(claims, next, "done"))).isInstanceOf(HeldClaims.Used.Done.class);
        assertThat(run(() -> result(claims, next, "done otherwise"))).isInstanceOf(HeldClaims.Used.Refused.class);
    }

    /// One seed's holders: each claims, works for longer or shorter than its lease, and says what came of it, or dies.
    private static final class Story {
        private final Replicas world;
        private final List<HeldClaims> replicas;
        private final Random random;
        private final boolean releasedOnExpiry;
        private @Nullable Instant holdsUntil;
        private HeldClaims.Outcome.@Nullable Held holder;
        private int holders;
        private int givenUp;
        private @Nullable String recorded;
        private final List<String> wrong = new ArrayList<>();

        Story(long seed) {
            world = new Replicas(seed);
            replicas = List.of(claims(world), claims(world));
            random = new Random(seed);
            releasedOnExpiry = seed % 2 == 0;
        }

        List<String> play() {
            List<CompletableFuture<Integer>> workers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String name = "worker " + i;
                workers.add(world.stage.start(() -> work(name)));
            }
            world.stage.advance(Duration.ofMinutes(3));
            for (CompletableFuture<Integer> worker : workers) {
                world.stage.await(worker, "a worker", Duration.ofMinutes(3));
            }
            if (!releasedOnExpiry && holders > givenUp + 1) {
                wrong.add(holders + " held the claim and " + givenUp + " gave it up");
            }
            return wrong;
        }

        private int work(String name) throws InterruptedException {
            for (int again = 0; again < 3; again++) {
                HeldClaims at = replicas.get(random.nextInt(2));
                world.stage.sleep(Duration.ofMillis(random.nextInt(8_000)));
                // What is told may have been decided before what others are told meanwhile.
                String before = recorded;
                switch (claim(at, releasedOnExpiry, Duration.ofSeconds(random.nextInt(20)))) {
                    case HeldClaims.Outcome.Held held -> {
                        if (before != null) {
                            wrong.add(name + " holds a claim after a result was told as recorded");
                        }
                        hold(at, held, name + "." + again);
                    }
                    case HeldClaims.Outcome.Answered answered -> told(answered.answer(), before);
                }
            }
            return 3;
        }

        private void hold(HeldClaims at, HeldClaims.Outcome.Held held, String name) throws InterruptedException {
            Instant claimed = held.entry().claimedAt();
            if (holdsUntil != null && holdsUntil.isAfter(claimed)) {
                wrong.add(name + " holds a claim that another holds");
            }
            holders++;
            holder = held;
            holdsUntil = held.entry().leaseUntil();
            world.stage.sleep(Duration.ofMillis(random.nextInt(15_000)));
            switch (random.nextInt(6)) {
                case 0 -> {
                    // It dies.
                }
                case 1 -> {
                    holdsUntil = null;
                    if (at.release(held.entry().id(), CALLER, held.token()) instanceof HeldClaims.Used.Done) {
                        givenUp++;
                    }
                }
                case 2 -> {
                    if (at.renew(
                            held.entry().id(), CALLER, held.token(), LEASE) instanceof HeldClaims.Used.Done done) {
                        holdsUntil = done.now().entry().leaseUntil();
                        world.stage.sleep(Duration.ofMillis(random.nextInt(15_000)));
                    }
                    say(at, held, name);
                }
                default -> say(at, held, name);
            }
        }

        private void say(HeldClaims at, HeldClaims.Outcome.Held held, String name) {
            if (result(at, held, name) instanceof HeldClaims.Used.Done) {
                if (recorded != null || !held.equals(holder)) {
                    wrong.add(name + " was recorded after " + recorded + " or after another claimed");
                }
                recorded = name;
            }
        }

        private void told(Answer answer, @Nullable String before) {
            String text = answer instanceof Answer.Delivered it ? it.response().body().utf8() : Replicas.text(answer);
            if (before != null && !before.equals(text)) {
                wrong.add("told " + text + " though " + before + " is recorded");
            }
        }
    }

    @Test
    void oneHoldsAtATimeAndWhatWasToldAsRecordedStays() {
        int results = 0;
        for (long seed = 1; seed <= 300; seed++) {
            Story story = new Story(seed);
            assertThat(story.play()).as("seed " + seed).isEmpty();
            results += story.recorded == null ? 0 : 1;
        }
        assertThat(results).as("stories that came to a result").isGreaterThan(100);
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a call when the ledger fails in the midst of it.
class LedgerTroubleTest {

    private final Replicas world = new Replicas(4);
    private final Scripted downstream = new Scripted(world.stage);
    private final Replicas.Replica replica = world.replica(downstream, Replicas.route());

    /// G7: confirmed by a write, the claim is this attempt's.
    @Test
    void claimWhoseAcknowledgementIsLostIsConfirmedAndForwarded() {
        world.ledger.loseAcknowledgement("claim");
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
        assertThat(world.ledger.operations()).startsWith("claim", "confirm");
        assertThat(downstream.sent()).hasSize(1);
        nothingIsLeft();
    }

    /// So many claims lose to an entry that is gone when they look.
    private static Faulty.Trouble losing(int times) {
        AtomicInteger left = new AtomicInteger(times);
        return new Faulty.Trouble() {
            @Override
            public boolean loses() {
                return left.getAndDecrement() > 0;
            }
        };
    }

    @Test
    void claimThatLosesToAnEntryThatIsGoneByThenIsMadeAgain() {
        world.ledger.trouble(losing(1));
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
        assertThat(world.ledger.operations()).startsWith("claim", "claim");
        assertThat(downstream.sent()).hasSize(1);
        nothingIsLeft();
    }

    @Test
    void keyThatChangesHandsForEverIsRefusedAndNothingIsSent() {
        world.ledger.trouble(losing(Integer.MAX_VALUE));
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
        assertThat(downstream.sent()).isEmpty();
        world.ledger.back();
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
        nothingIsLeft();
    }

    /// The next claim is committed when what is returned is run, and nobody knows until then.
    private List<Runnable> holdingBackTheClaim() {
        List<Runnable> late = new ArrayList<>();
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public boolean now(String operation, Runnable write) {
                if (operation.equals("claim")) {
                    late.add(write);
                    world.ledger.back();
                    return false;
                }
                return true;
            }
        });
        return late;
    }

    /// G8, G9: told 503, the attempt is dead, and its claim is released whenever it appears.
    @ParameterizedTest
    @ValueSource(ints = {1, 30, 59})
    void claimThatCommitsAfterTheRefusalIsNeverSentAndIsReleased(int seconds) {
        List<Runnable> late = holdingBackTheClaim();
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
        world.stage.advance(Duration.ofSeconds(seconds));
        assertThat(downstream.sent()).isEmpty();
        late.getFirst().run();
        assertThat(world.stateOf("k")).isEqualTo(State.CLAIMED);
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(world.stateOf("k")).isEqualTo(State.RELEASED);
        assertThat(downstream.sent()).isEmpty();
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo("201 RECORDED");
        world.stage.advance(Duration.ofMinutes(2));
        nothingIsLeft();
    }

    /// G9: a commit that waits for a standby appears when that is back, however late.
    @Test
    void claimThatWaitsForAStandbyIsReleasedHoweverLateItAppears() {
        world.ledger.problem("no synchronous standby is connected");
        List<Runnable> late = holdingBackTheClaim();
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
        world.stage.advance(Duration.ofMinutes(20));
        world.ledger.problem(null);
        late.getFirst().run();
        world.memory.sweep(10);
        world.stage.advance(Duration.ofSeconds(3));
        assertThat(world.stateOf("k")).isEqualTo(State.RELEASED);
        assertThat(downstream.sent()).isEmpty();
        world.stage.advance(Duration.ofMinutes(2));
        nothingIsLeft();
    }

    /// G2: a re-forward that sent nothing says nothing about the forward before it.
    @Test
    void deadReforwardGoesBackToDoubt() {
        Replicas.Replica open = world.replica(downstream, Replicas.deduplicating());
        downstream.thenAnswer(500);
        open.answer("k", "{}");
        List<Runnable> late = new ArrayList<>();
        world.ledger.trouble(new Faulty.Trouble() {
            private boolean first = true;

            @Override
            public boolean now(String operation, Runnable write) {
                // The first claim finds the entry in doubt; the second is the re-forward.
                if (operation.equals("claim") && !first) {
                    late.add(write);
                    world.ledger.back();
                    return false;
                }
                first = false;
                return true;
            }
        });
        assertThat(Replicas.is(open.answer("k", "{}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
        late.getFirst().run();
        assertThat(world.stateOf("k")).isEqualTo(State.CLAIMED);
        world.stage.advance(Duration.ofSeconds(2));
        assertThat(world.stateOf("k")).isEqualTo(State.IN_DOUBT);
        assertThat(downstream.sent()).hasSize(1);
    }

    /// The loop ends, and a thousand dead claims are no thousand threads.
    @Test
    void deadClaimsDoNotPileUp() {
        Replicas.Replica wide = world.replica(new Replicas.Size(2_000, 10), downstream, Replicas.route());
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                throw new LedgerUnavailable("silent", true, null);
            }
        });
        List<CompletableFuture<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            calls.add(wide.call("key-" + i, "{}"));
        }
        world.stage.advance(Duration.ofSeconds(5));
        assertThat(calls).allMatch(call -> Replicas.is(call.join(), Problem.LEDGER_UNAVAILABLE));
        assertThat(wide.keyed.abandoned()).isEqualTo(1_000);
        assertThat(world.stage.sleeping()).isLessThan(5);
        int before = world.ledger.asked();
        world.stage.advance(Duration.ofMinutes(10));
        assertThat(world.ledger.asked() - before).isLessThan(1_000);
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(3));
        assertThat(wide.keyed.abandoned()).isZero();
        assertThat(downstream.sent()).isEmpty();
        CallsOf.assertIdle(world, wide);
        assertThat(world.stage.sleeping()).isZero();
    }

    /// A ledger that is refused: nobody can have claimed anything, so nothing is left to be released.
    @Test
    void claimThatWasRefusedLeavesNothing() {
        world.ledger.away();
        assertThat(Replicas.is(replica.answer("k", "{}"), Problem.LEDGER_UNAVAILABLE)).isTrue();
        assertThat(replica.keyed.abandoned()).isZero();
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 429, 500})
    void transitionWhoseAcknowledgementIsLostIsConfirmed(int status) {
        downstream.thenAnswer(status);
        world.ledger.loseAcknowledgement("settle");
        String expected = status == 201 ? "201 RECORDED" : status == 429 ? "429 RELEASED" : "500 IN_DOUBT";
        assertThat(Replicas.text(replica.answer("k", "{}"))).isEqualTo(expected);
        assertThat(world.memory.history(Replicas.id("k"))).extracting(Ledger.Event::kind)
                .doesNotContain("late-response");
        nothingIsLeft();
    }

    /// G7: what was read and could not be confirmed is looked at anew.
    @Test
    void recordThatCannotBeConfirmedIsNotTold() {
        downstream.thenAnswer(422);
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void after(String operation) {
                if (operation.equals("settle")) {
                    correctedElsewhereBeforeItIsConfirmed();
                    throw new LedgerUnavailable("acknowledgement lost", true, null);
                }
            }
        });
        Answer.Delivered told = Replicas.delivered(replica.answer("k", "{}"));
        assertThat(told.response().status()).isEqualTo(422);
        assertThat(told.state()).isNotEqualTo(State.RECORDED);
    }

    private void correctedElsewhereBeforeItIsConfirmed() {
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                if (operation.equals("confirm")) {
                    world.ledger.back();
                    long seen = world.attemptOf("k");
                    world.memory.claim(AsksOf.claimAfter(replica, "k", "{\"corrected\":1}", 9, seen));
                }
            }
        });
    }

    @Test
    void nothingSentWhileTheLedgerIsAwayIsNotSworn() {
        CompletableFuture<Outcome> gate = new CompletableFuture<>();
        downstream.thenAt(gate);
        CompletableFuture<Answer> call = replica.call("k", "{}");
        world.stage.settle();
        world.ledger.away();
        gate.complete(new Outcome.NotSent("refused"));
        world.stage.advance(Replicas.TIMEOUT);
        Refusal refusal = Replicas.refusal(call.join());
        assertThat(refusal.status()).isEqualTo(504);
        assertThat(refusal.forwarded()).isEqualTo(Refusal.Forwarded.MAYBE);
        world.memory.sweep(10);
        world.ledger.back();
        world.stage.advance(Duration.ofSeconds(2));
        // G9: and yet it is released in the end, out of its own doubt, too.
        assertThat(world.stateOf("k")).isEqualTo(State.RELEASED);
        nothingIsLeft();
    }

    /// The caller's time is over at the very moment at which the attempt ends: whatever wins, no byte stays counted.
    @Test
    void noByteStaysCountedWhateverWins() {
        for (int seed = 0; seed < 200; seed++) {
            Replicas each = new Replicas(seed);
            Scripted slow = new Scripted(each.stage);
            Replicas.Replica one = each.replica(slow, Replicas.route());
            slow.then((forward, overflow) -> {
                each.stage.sleep(Replicas.TIMEOUT);
                return Scripted.response(201, "at the last moment");
            });
            one.answer("k", "{}");
            each.stage.advance(Duration.ofSeconds(1));
            CallsOf.assertIdle(each, one);
        }
    }

    @Test
    void replicaThatEndsLeavesTheKeyFree() {
        Replicas.Replica ending = world.replica(
                world.ledger, work -> {
                    throw new RejectedExecutionException("shutting down");
                }, new Replicas.Size(10, 10), downstream, Replicas.route());
        assertThat(Replicas.is(ending.answer("k", "{}"), Problem.DRAINING)).isTrue();
        assertThat(world.stateOf("k")).isEqualTo(State.RELEASED);
        CallsOf.assertIdle(world, ending);
    }

    /// What breaks within the attempt is told to its caller, and those who wait are not left alone.
    @Test
    void faultOfOursIsToldAndTheOthersGoOn() {
        world.ledger.trouble(new Faulty.Trouble() {
            @Override
            public void before(String operation) {
                if (operation.equals("settle")) {
                    throw new StackOverflowError();
                }
            }
        });
        CompletableFuture<Answer> first = replica.call("k", "{}");
        CompletableFuture<Answer> second = replica.call("k", "{}", Duration.ofSeconds(50));
        world.stage.advance(Duration.ofSeconds(1));
        assertThat(List.of(first.isCompletedExceptionally(), second.isCompletedExceptionally()))
                .containsExactlyInAnyOrder(true, false);
        world.ledger.back();
        world.stage.advance(Replicas.LEASE.plusSeconds(1));
        CompletableFuture<Answer> waiter = first.isCompletedExceptionally() ? second : first;
        assertThat(Replicas.text(waiter.join())).startsWith("409");
        nothingIsLeft();
    }

    private void nothingIsLeft() {
        CallsOf.assertIdle(world, replica);
    }
}

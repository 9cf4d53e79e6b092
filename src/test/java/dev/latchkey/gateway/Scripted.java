package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// A downstream that does what the test says, forward by forward, and remembers what it was sent. Unscripted forwards are
/// answered 201.
final class Scripted implements Downstream {

    private final Clocks clocks;
    private final Deque<Behaviour> script = new ArrayDeque<>();
    private final List<Forward> sent = new ArrayList<>();
    private final List<Duration> patience = new ArrayList<>();

    /// What becomes of one forward. Called once the first byte may leave.
    interface Behaviour {
        Outcome act(Forward forward, Overflow overflow) throws InterruptedException;

        /// Whether it needs no open window: it never sends.
        default boolean sends() {
            return true;
        }
    }

    Scripted(Clocks clocks) {
        this.clocks = clocks;
    }

    static Outcome.Answered response(int status, String body) {
        return new Outcome.Answered(status, Headers.of("Content-Type", "text/plain"), Body.ofUtf8(body), true);
    }

    Scripted then(Behaviour behaviour) {
        script.add(behaviour);
        return this;
    }

    Scripted thenAnswer(int status) {
        return then((forward, overflow) -> response(status, "status " + status));
    }

    Scripted thenRefuse() {
        return then(new Behaviour() {
            @Override
            public Outcome act(Forward forward, Overflow overflow) {
                return new Outcome.NotSent("refused");
            }

            @Override
            public boolean sends() {
                return false;
            }
        });
    }

    /// Answers once the test opens the gate.
    Scripted thenAt(CompletableFuture<? extends Outcome> gate) {
        return then(new Behaviour() {
            @Override
            public Outcome act(Forward forward, Overflow overflow) {
                return gate.join();
            }
        });
    }

    @Override
    public Outcome send(Forward forward, SendWindow window, Duration atMost, Overflow overflow) {
        Behaviour next = script.isEmpty() ? (f, o) -> response(201, "done") : script.poll();
        if (next.sends() && !window.isOpen()) {
            return new Outcome.NotSent("too late to send");
        }
        if (next.sends()) {
            sent.add(forward);
            patience.add(atMost);
        }
        // A thread of its own, as a downstream has: the forward gives up when its time is over.
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                outcome.complete(next.act(forward, overflow));
            } catch (InterruptedException | RuntimeException | Error e) {
                outcome.completeExceptionally(e);
            }
        });
        try {
            return clocks.await(outcome, atMost);
        } catch (TimeoutException e) {
            return new Outcome.Unknown(Cause.TIMEOUT);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the downstream's client broke", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.Unknown(Cause.CONNECTION_LOST);
        }
    }

    List<Forward> sent() {
        return sent;
    }

    List<Duration> patience() {
        return patience;
    }

    @Override
    public void close() {}
}

package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Decision;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A won claim on its way: forwards once, settles the entry, tells the caller and those who wait. Runs on a thread of its
/// own, so that a caller who hangs up, or whose time is over, cancels nothing. Used once.
final class Attempt implements Runnable, Downstream.Overflow {

    private static final Log LOG = Log.of(Attempt.class);
    /// The lease must not end while we may still record: stop reading a second before.
    private static final Duration BEFORE_LEASE_END = Duration.ofSeconds(1);

    private final Settling settling;
    private final Entry entry;
    private final Ask ask;
    private final RoutePlan plan;
    private final Trace trace;
    private final Function<String, Forward> making;
    private final int requestBytes;
    private final SendWindow window;
    private final Patience callersTime;
    private final LocalAttempt local;
    private final Runnable atEnd;
    private final ByteBudget.Share bytes;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private volatile @Nullable Response response;
    private volatile @Nullable HeldBody held;

    /// @param entry as the ledger gave it to this attempt
    /// @param window began before the claim was handed to the ledger (G6)
    /// @param making makes the request to send, with this field `traceparent`; may fail, before anything was sent
    /// @param requestBytes length of the request's body, which the attempt holds after its caller has gone
    /// @param bytes takes what the attempt holds besides what the caller holds
    /// @param atEnd gives the place back
    Attempt(
            Settling settling, Entry entry, Ask ask, RoutePlan plan, Trace trace, Function<String, Forward> making,
            SendWindow window, LocalAttempt local, int requestBytes, ByteBudget.Share bytes, Runnable atEnd) {
        this.settling = settling;
        this.entry = entry;
        this.ask = ask;
        this.plan = plan;
        this.trace = trace;
        this.making = making;
        this.window = window;
        this.callersTime = Patience.of(window.clocks(), ask.route().timeout());
        this.local = local;
        this.requestBytes = requestBytes;
        this.bytes = bytes;
        this.atEnd = atEnd;
    }

    @Override
    public void run() {
        LocalAttempt.End end = new LocalAttempt.End.LookAgain();
        try {
            end = forwardAndSettle();
        } catch (RuntimeException | Error e) {
            // The claim stays and is swept: nobody knows how far it came. A thread's own report would quote the message.
            LOG.failure(LogEvent.FAILED, e, "entry", entry.id());
            answer.completeExceptionally(e);
        } finally {
            atEnd.run();
            HeldBody open = held;
            if (open != null) {
                open.cut();
            }
            bytes.close();
            settling.end(local, end);
        }
    }

    private LocalAttempt.End forwardAndSettle() {
        Outcome outcome = forward();
        if (outcome instanceof Outcome.Answered answered && answered.body() != null) {
            bytes.force(answered.body().length());
            response = new Response(answered.status(), answered.headers(), answered.body());
        }
        Transition transition = Protocol.onOutcome(entry, ask.route(), outcome, plan.replayHeaders());
        settling.count(entry, transition, outcome, trace.nanos(Trace.Part.FORWARD));
        local.look();
        beginRecording();
        Found now = settle(transition);
        boolean done = now != null && Settling.isDoneBy(now.entry(), entry.attempt(), transition);
        Answer told = now != null && done ? told(outcome, now) : toldByLoser(outcome, now);
        // The forward is over: a caller who comes again the moment it hears must find the place free.
        atEnd.run();
        finishHeld(done && outcome instanceof Outcome.Answered);
        answer.complete(told);
        boolean complete = response != null || outcome instanceof Outcome.NotSent;
        boolean released =
                now != null && now.entry().attempt() == entry.attempt() && now.entry().state() == State.RELEASED;
        return released && complete ? new LocalAttempt.End.Told(told) : new LocalAttempt.End.Settled(now);
    }

    private @Nullable Found settle(Transition transition) {
        try (Trace.Step step = trace.begin(Trace.Part.RECORD)) {
            Found now = settling.settle(entry, transition);
            step.came(now == null ? "gone" : now.entry().state().wireName(), 0, null);
            return now;
        }
    }

    private Outcome forward() {
        try (Trace.Step step = trace.beginForward(ask.route().name(), ask.method())) {
            Outcome outcome = send(step.traceparent());
            switch (outcome) {
                case Outcome.Answered answered -> step.came("answered", answered.status(), null);
                case Outcome.NotSent _ -> step.came("not-sent", 0, "not-sent");
                case Outcome.Unknown unknown -> step.came("unknown", 0, unknown.cause().name());
            }
            return outcome;
        }
    }

    private Outcome send(String traceparent) {
        Forward forward;
        try {
            forward = making.apply(traceparent);
        } catch (RuntimeException e) {
            LOG.failure(LogEvent.FAILED, e, "entry", entry.id());
            return new Outcome.NotSent("the gateway could not make the request");
        }
        try {
            Duration patience = ask.route().lease().minus(BEFORE_LEASE_END).minus(window.elapsed());
            return plan.downstream().send(forward, window, patience, this);
        } catch (RuntimeException e) {
            // A broken client says nothing about what was sent.
            LOG.failure(LogEvent.FAILED, e, "entry", entry.id());
            return new Outcome.Unknown(Cause.INTERNAL_ERROR);
        }
    }

    /// What a caller is told once the transition is committed.
    private Answer told(Outcome outcome, Found now) {
        Response complete = response;
        if (complete == null) {
            return new Answer.Refused(Protocol.withoutResponse(now.entry(), ask.route(), outcome, now.now()));
        }
        return Answer.Delivered.fresh(complete, now);
    }

    /// An attempt that lost its compare-and-set answers from what the ledger holds, as a repeat would, and forwards no more
    /// (G16).
    private Answer toldByLoser(Outcome outcome, @Nullable Found now) {
        Response complete = response;
        if (now != null) {
            switch (Protocol.onCall(now, ask, true)) {
                case Decision.Replay replay -> {
                    return Answer.Delivered.replay(replay.entry(), replay.response());
                }
                case Decision.Refuse refuse when complete == null || now.entry().state() == State.RECORDED -> {
                    return new Answer.Refused(refuse.refusal());
                }
                case Decision.Refuse refuse -> {
                }
                case Decision.Forward free -> {
                }
                case Decision.Wait other -> {
                }
                case Decision.Sweep other -> {
                }
            }
        }
        if (complete != null) {
            return Answer.Delivered.fresh(complete, State.IN_DOUBT);
        }
        Entry known = now == null ? entry : now.entry();
        Instant when = now == null ? entry.claimedAt() : now.now();
        return new Answer.Refused(Protocol.withoutResponse(known, ask.route(), outcome, when));
    }

    /// Waits for the answer, at most until the caller's time is over, or the ledger's to record it: then tells what is known.
    Answer await() {
        try {
            return local.await(answer, callersTime);
        } catch (TimeoutException e) {
            answer.complete(outOfTime());
            return answer.join();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the attempt broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return outOfTime();
        }
    }

    private Answer outOfTime() {
        bytes.force(requestBytes);
        Response complete = response;
        // A response that is not recorded in time is told as it came, and never called recorded.
        return complete != null
                ? Answer.Delivered.fresh(complete, State.IN_DOUBT)
                : new Answer.Refused(Protocol.timedOut(entry));
    }

    @Override
    public void begin(int status, Headers headers, Body soFar, long length) {
        HeldBody body = new HeldBody(length, callersTime);
        bytes.force(soFar.length());
        if (answer.complete(new Answer.Streamed(status, headers, body, State.CLAIMED))) {
            held = body;
            body.offer(soFar.bytes());
        }
    }

    @Override
    public void more(byte[] next) {
        HeldBody body = held;
        if (body != null) {
            body.offer(next);
        }
    }

    /// From now on everybody waits for the ledger, whose silence has an end for all of them.
    private void beginRecording() {
        Patience recording = Patience.of(window.clocks(), Patience.OF_SILENCE);
        local.recording().set(recording);
        HeldBody body = held;
        if (body != null) {
            body.holdUntil(recording);
        }
    }

    private void finishHeld(boolean whole) {
        HeldBody body = held;
        if (body == null) {
            return;
        }
        if (whole) {
            body.release();
        } else {
            body.cut();
        }
        held = null;
    }
}

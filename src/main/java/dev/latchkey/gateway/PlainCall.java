package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Trace;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A call without a key: one forward, no ledger, no promise. Safe for any number of threads.
public final class PlainCall {

    private static final Log LOG = Log.of(PlainCall.class);

    private final Places places;
    private final Clocks clocks;
    private final Executor forwards;
    private final Metrics metrics;

    /// Carries out calls with these parts.
    public PlainCall(Places places, Clocks clocks, Executor forwards, Metrics metrics) {
        this.places = places;
        this.clocks = clocks;
        this.forwards = forwards;
        this.metrics = metrics;
    }

    Answer answer(Call call, RoutePlan plan) {
        return switch (places.enter(plan.policy().name(), call.caller().oldestName())) {
            case Places.Entrance.Full full ->
                    new Answer.Refused(full.refusal("Nothing was forwarded by this call. Call again."));
            case Places.Entrance.Taken taken -> {
                Passing passing = new Passing(call, plan, taken.place());
                try {
                    forwards.execute(passing);
                } catch (RejectedExecutionException e) {
                    taken.place().close();
                    throw e;
                }
                yield passing.answer.join();
            }
        };
    }

    private final class Passing implements Runnable, Downstream.Overflow {
        private final Call call;
        private final RoutePlan plan;
        private final Places.Place place;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private final Patience callersTime;
        private volatile @Nullable HeldBody held;

        Passing(Call call, RoutePlan plan, Places.Place place) {
            this.call = call;
            this.plan = plan;
            this.place = place;
            this.callersTime = Patience.of(clocks, plan.policy().timeout());
        }

        @Override
        public void run() {
            try {
                Outcome outcome = send();
                // A caller who comes again the moment it hears must find the place free.
                place.close();
                HeldBody body = held;
                if (body != null && outcome instanceof Outcome.Answered) {
                    body.release();
                }
                answer.complete(told(outcome));
            } catch (RuntimeException | Error e) {
                LOG.failure(LogEvent.FAILED, e, "route", plan.policy().name());
                answer.completeExceptionally(e);
            } finally {
                place.close();
                HeldBody open = held;
                if (open != null) {
                    // Not released: else whoever writes it would wait for an end that never comes.
                    open.cut();
                }
            }
        }

        private void count(Outcome outcome, Trace.Step step) {
            String name = switch (outcome) {
                case Outcome.Answered answered -> "no-key";
                case Outcome.NotSent none -> "not-sent";
                case Outcome.Unknown unknown -> "unknown";
            };
            int status = outcome instanceof Outcome.Answered answered ? answered.status() : 0;
            step.came(name, status, status == 0 ? name : null);
            metrics.forwarded(plan.policy().name(), name, status, call.trace().nanos(Trace.Part.FORWARD));
        }

        private Outcome send() {
            try (Trace.Step step = call.trace().beginForward(plan.policy().name(), call.request().method())) {
                Outcome outcome = send(step.traceparent());
                count(outcome, step);
                return outcome;
            }
        }

        private Outcome send(String traceparent) {
            Duration timeout = plan.policy().timeout();
            Forward forward = new Forward(
                    call.request().method(), call.pathBelow(), call.request().query(),
                    ForwardHeaders.make(
                            call.request().headers(), call.origin(), plan.ownHeaders().get(), plan.key().header(),
                            null, call.trace(), traceparent),
                    call.request().body(), false);
            return plan.downstream().send(forward, SendWindow.from(clocks, timeout), timeout, this);
        }

        private Answer told(Outcome outcome) {
            return switch (outcome) {
                case Outcome.Answered answered -> Answer.Delivered.fresh(
                        new Response(
                                answered.status(), answered.headers(),
                                answered.body() == null ? Body.empty() : answered.body()),
                        (@Nullable State) null);
                case Outcome.NotSent none -> new Answer.Refused(Refusal.plainNotForwarded(none.reason()));
                case Outcome.Unknown unknown -> new Answer.Refused(Refusal.plainUnknown(unknown.cause()));
            };
        }

        @Override
        public void begin(int status, Headers fields, Body soFar, long length) {
            HeldBody body = new HeldBody(length, callersTime);
            held = body;
            answer.complete(new Answer.Streamed(status, fields, body, null));
            body.offer(soFar.bytes());
        }

        @Override
        public void more(byte[] bytes) {
            HeldBody body = held;
            if (body != null) {
                body.offer(bytes);
            }
        }
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Caller;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Origin;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One batch: one thread reads its lines and begins them, each line is a call on a thread of its own, and whoever writes the
/// body sends the answers in the order in which they come. Neither reading nor a call waits for answers to be sent, as long
/// as what is held is within the bound: many callers send all before they read. Used once.
final class Batch implements OpenBody {

    private static final Log LOG = Log.of(Batch.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final Duration BEYOND_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Parts parts;
    private final Caller caller;
    private final Origin origin;
    private final BatchTrace trace;
    private final LineReader lines;
    private final AnswerQueue queue;
    private final BatchPlaces.Share places;
    private final BatchCount count;
    private final Runnable lineCame;
    private final Consumer<Exception> hangUp;
    private final String instance;
    private volatile long lastAnswer;
    private volatile @Nullable Throwable broken;

    /// What all batches share.
    ///
    /// @param places of lines under way
    /// @param most bytes that one batch holds
    /// @param longest bytes of one line
    record Parts(
            CallHandler handler, Answers answers, LineParser parser, BatchPlaces places, ByteBudget budget, long most,
            int longest, Clocks clocks) {}

    /// @param in the lines
    /// @param origin how the batch came
    /// @param trace what it came with
    /// @param lineCame told of each line
    /// @param hangUp closes the connection, so that who reads from it stops
    /// @param instance names the batch in the log
    Batch(
            Parts parts, Caller caller, PacedInput in, Origin origin, BatchTrace trace, Runnable lineCame,
            Consumer<Exception> hangUp, String instance) {
        this.parts = parts;
        this.caller = caller;
        this.origin = origin;
        this.trace = trace;
        this.queue = new AnswerQueue(parts.most(), parts.budget());
        this.lines = new LineReader(in, parts.longest(), parts.budget(), parts.clocks(), queue::isBusy);
        in.holds(lines::held);
        this.places = parts.places().open();
        this.count = new BatchCount(parts.clocks());
        this.lineCame = lineCame;
        this.hangUp = hangUp;
        this.instance = instance;
        this.lastAnswer = parts.clocks().nanos();
    }

    @Override
    public long length() {
        return -1;
    }

    @Override
    public long held() {
        return queue.held();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        boolean whole = false;
        // Closing waits: for who reads first, for it begins lines, then for every line under way: who hangs up cancels nothing.
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
                ExecutorService reading = Executors.newVirtualThreadPerTaskExecutor()) {
            reading.execute(() -> read(calls));
            write(out);
            Throwable why = broken;
            if (why != null) {
                throw new IOException("the batch did not end well", why);
            }
            whole = true;
        } catch (IOException | RuntimeException e) {
            hangUp.accept(e);
            throw e;
        } finally {
            count.tell(caller, instance, whole);
        }
    }

    private void write(OutputStream out) throws IOException {
        try {
            for (var next = queue.next(); next != null; next = queue.next()) {
                next.writeTo(out);
                count.sent();
                if (!queue.hasNext()) {
                    out.flush();
                }
            }
        } catch (IOException | RuntimeException e) {
            // Before the threads are waited for: the one that reads may wait for a caller who neither sends nor leaves.
            queue.leave();
            hangUp.accept(e instanceof IOException io ? io : new IOException(e));
            throw e;
        }
    }

    private void read(ExecutorService calls) {
        try {
            boolean more = true;
            while (more && queue.awaitRoom()) {
                more = switch (lines.next()) {
                    case LineReader.Next.Line line -> begin(line, calls);
                    case LineReader.Next.TooLong tooLong -> refuse(
                            tooLong.index(), Problem.BODY_TOO_LARGE,
                            "The line is longer than the " + tooLong.most() + " bytes that this gateway takes.");
                    case LineReader.Next.NoRoom noRoom -> refuse(
                            noRoom.index(), Problem.OVERLOADED,
                            "This replica holds as many bytes of bodies as it may. Nothing was forwarded by this call. Call"
                                    + " again with the same key.");
                    case LineReader.Next.End _ -> false;
                };
            }
        } catch (IOException e) {
            broken = e;
        } catch (RuntimeException | Error e) {
            LOG.failure(LogEvent.FAILED, e, "instance", instance);
            broken = e;
        } finally {
            queue.close();
        }
    }

    /// @return false where the caller is gone: what has not begun does not begin
    private boolean begin(LineReader.Next.Line line, ExecutorService calls) {
        lineCame.run();
        places.take();
        if (!queue.begin(line.weight())) {
            places.give();
            line.share().close();
            return false;
        }
        calls.execute(() -> {
            try (ByteBudget.Share _ = line.share()) {
                answer(line.index(), line.weight(), course -> call(line, course));
            } finally {
                places.give();
            }
        });
        return true;
    }

    private boolean refuse(long index, Problem problem, String detail) {
        boolean here = queue.begin(0);
        if (here) {
            answer(index, 0, _ -> new Answer.Refused(Refusal.of(problem, detail)));
        }
        return here;
    }

    private void answer(long index, long weight, Function<CallHandler.Course, Answer> making) {
        AnswerLine.@Nullable Sendable sendable = null;
        try {
            long start = parts.clocks().nanos();
            String named = instance + "#" + index;
            CallHandler.Course course = new CallHandler.Course();
            Answer answer = Objects.requireNonNull(parts.answers().of(() -> whole(making.apply(course)), named));
            Reply reply = parts.answers().reply(answer, course, named);
            sendable = AnswerLine.of(index, course.key, answer, reply).sendable();
            parts.answers().over(answer, reply.status(), course, named, parts.clocks().nanos() - start);
            count.answered(answer);
        } catch (RuntimeException | Error e) {
            LOG.failure(LogEvent.FAILED, e, "instance", instance);
            broken = e;
        } finally {
            lastAnswer = parts.clocks().nanos();
            queue.end(weight, sendable);
        }
    }

    /// The places among the forwards may all be taken by lines of this very batch: then a line waits for one and asks again.
    /// That repeats no forward. Whoever is told that there is no place has claimed and sent nothing. It gives up only when,
    /// for as long as its route's timeout, no line of the batch was answered: until then places change hands.
    private Answer call(LineReader.Next.Line line, CallHandler.Course course) {
        Request request = trace.of(parts.parser().parse(line.text()));
        course.trace = parts.answers().begin(request.headers(), request.method());
        long begin = parts.clocks().nanos();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Answer answer = parts.handler().answer(caller, request, origin, course);
            if (!wantsPlace(answer) || queue.isCallerGone() || isSpent(begin, course) || !slept(pause)) {
                return answer;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private static boolean wantsPlace(Answer answer) {
        return answer instanceof Answer.Refused refused
                && (refused.refusal().problem() == Problem.OVERLOADED
                        || refused.refusal().problem() == Problem.TOO_MANY_CALLS);
    }

    private boolean isSpent(long begin, CallHandler.Course course) {
        Duration timeout = course.door == null ? Duration.ZERO : course.door.policy().timeout();
        long since = parts.clocks().nanos() - Math.max(begin, lastAnswer);
        return since > timeout.plus(BEYOND_TIMEOUT).toNanos();
    }

    private boolean slept(Duration time) {
        try {
            parts.clocks().sleep(time);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// A line of answers has no room for a response that is too large to keep. It is read to its end all the same, so that
    /// the forward is not held up; what became of the key is then in the ledger.
    private static Answer whole(Answer answer) {
        if (!(answer instanceof Answer.Streamed streamed)) {
            return answer;
        }
        try {
            streamed.body().writeTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // Cut: it was not recorded, and the ledger says so, too.
        }
        boolean keyed = streamed.state() != null;
        return new Answer.Refused(new Refusal(
                Problem.OUTCOME_UNKNOWN, 502,
                "The downstream answered " + streamed.status()
                        + " with a response larger than limits.response-body, which a batch has no room for. "
                        + (keyed
                                ? "Call again with the same key: the ledger says what became of it."
                                : "Look at the downstream, or make this call alone."),
                streamed.state(), Refusal.Forwarded.MAYBE, keyed, false, keyed ? SOON : null, null, List.of(), null,
                null,
                null));
    }
}

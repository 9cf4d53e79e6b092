package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// The client of one replica to the downstream, with all that lies between. A request that was sent is in the world: it
/// arrives whatever becomes of its sender, but no later than the contract has it (§1 d), and what is still in the sender's
/// own buffer dies with a reset, and some time after its sender.
final class SimulatedClient implements Downstream {

    /// The longest way of what has left the machine: what is sent within the window arrives before the settle delay is over.
    private static final Duration LATEST = Scenario.SETTLE_DELAY.minusSeconds(60);
    /// A copy for a downstream that deduplicates arrives within the route's timeout, as its window takes for granted.
    private static final Duration COPY = Duration.ofSeconds(20);
    /// How long a kernel goes on sending for a process that has ended or stands still.
    private static final Duration KERNEL = Duration.ofSeconds(108);

    private final Stage stage;
    private final Random random;
    private final SimulatedDownstream downstream;
    private final Life life;
    private final Runnable fate;
    private final Guard missing;

    /// A request that has left, perhaps only as far as the sender's buffer.
    private static final class Sent {
        private final SimulatedDownstream.Message message;
        private final CompletableFuture<Outcome> response = new CompletableFuture<>();
        private boolean reset;

        private Sent(SimulatedDownstream.Message message) {
            this.message = message;
        }
    }

    /// @param fate run where the replica may die or stop
    SimulatedClient(
            Stage stage, Random random, SimulatedDownstream downstream, Life life, Runnable fate, Guard missing) {
        this.stage = stage;
        this.random = random;
        this.downstream = downstream;
        this.life = life;
        this.fate = fate;
        this.missing = missing;
    }

    @Override
    public Outcome send(Forward forward, SendWindow window, Duration patience, Overflow overflow) {
        if (chance(8)) {
            return new Outcome.NotSent("refused");
        }
        if (!forward.keyed()) {
            return ask(forward);
        }
        stall(chance(5) ? 12_000 : chance(zombies()) ? 900_000 : 50);
        fate.run();
        if (!isOpen(window)) {
            return new Outcome.NotSent("too late to send");
        }
        Duration way = way(forward);
        boolean buffered = way.compareTo(LATEST) > 0;
        Sent sent = new Sent(downstream.sends(forward));
        stage.execute(() -> deliver(sent, way, buffered));
        fate.run();
        try {
            Outcome outcome = stage.await(sent.response, patience);
            fate.run();
            return outcome instanceof Outcome.Answered answered && chance(5) ? tooLarge(answered, overflow) : outcome;
        } catch (TimeoutException e) {
            sent.reset = missing != Guard.RESET_ON_TIMEOUT;
            return new Outcome.Unknown(Cause.TIMEOUT);
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// How many of a hundred forwards are held up before they are sent.
    private int zombies() {
        return switch (missing) {
            case SEND_WINDOW, SEND_WINDOW_BY_WALL, SEND_WINDOW_BY_MONOTONIC -> 30;
            default -> 3;
        };
    }

    /// How many of a hundred requests are long on their way.
    private int slow() {
        return switch (missing) {
            case SETTLE_DELAY, SETTLER_WATCHES, VERDICT_BY_TWO_CLOCKS, RESET_ON_TIMEOUT -> 40;
            default -> 8;
        };
    }

    private boolean isOpen(SendWindow window) {
        return switch (missing) {
            case SEND_WINDOW -> true;
            case SEND_WINDOW_BY_WALL -> window.elapsed().compareTo(window.width()) < 0;
            case SEND_WINDOW_BY_MONOTONIC -> Duration.between(window.wallStart(), window.clocks().now())
                    .compareTo(window.width()) < 0;
            default -> window.isOpen();
        };
    }

    private Duration way(Forward forward) {
        boolean copy = downstream.isCopy(forward);
        long most = chance(slow()) ? LATEST.toMillis() : chance(slow() / 2) ? 900_000 : 200;
        Duration way = Duration.ofMillis(downstream.isCalm() ? 1 : 1 + random.nextLong(most));
        return copy && way.compareTo(COPY) > 0 ? COPY : way;
    }

    private void deliver(Sent sent, Duration way, boolean buffered) {
        pause(way);
        boolean dies = sent.reset || life.still().compareTo(KERNEL) > 0;
        if (buffered && dies) {
            return;
        }
        Outcome outcome = downstream.arrives(sent.message);
        stall(chance(10) ? 60_000 : 200);
        Outcome lost = downstream.lostOnTheWay();
        sent.response.complete(lost == null ? outcome : lost);
    }

    private Outcome tooLarge(Outcome.Answered answered, Overflow overflow) {
        Body body = answered.body();
        overflow.begin(answered.status(), answered.headers(), body == null ? Body.empty() : body, -1);
        stall(100);
        overflow.more(new byte[] {1});
        return new Outcome.Answered(answered.status(), answered.headers(), null, true);
    }

    private Outcome ask(Forward forward) {
        stall(chance(10) ? 20_000 : 200);
        String query = forward.query();
        Outcome outcome = downstream.asked(query == null ? "" : query.replace("%20", " ").replace("k=", ""));
        stall(chance(10) ? 20_000 : 200);
        fate.run();
        return outcome;
    }

    private boolean chance(int percent) {
        return !downstream.isCalm() && random.nextInt(100) < percent;
    }

    private void stall(long millis) {
        pause(Duration.ofMillis(downstream.isCalm() ? 1 : 1 + random.nextLong(millis)));
    }

    private void pause(Duration time) {
        try {
            stage.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}

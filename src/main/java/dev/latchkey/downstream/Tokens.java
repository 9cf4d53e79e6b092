package dev.latchkey.downstream;

import dev.latchkey.gateway.Clocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The access token for one downstream, had from its server before the last one is over, by one request at a time, for which
/// everybody waits. Safe for any number of threads.
final class Tokens {

    /// For so long nobody asks again after a failure.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Source source;
    private final Clocks clocks;
    private @Nullable Token current;
    private @Nullable CompletableFuture<Token> underWay;
    private long endedAt;

    /// Where tokens are had.
    interface Source {
        /// Asks for one.
        ///
        /// @throws NothingSent when none was to be had, and why
        Token ask() throws NothingSent;
    }

    Tokens(Source source, Clocks clocks) {
        this.source = source;
        this.clocks = clocks;
    }

    /// A token that counts; one that soon will not is renewed meanwhile.
    ///
    /// @throws NothingSent when none is to be had in time
    Token get(Duration atMost) throws NothingSent, InterruptedException {
        CompletableFuture<Token> asked;
        synchronized (this) {
            Token token = current;
            long now = clocks.nanos();
            boolean counts = token != null && !token.isOver(now);
            if (token != null && counts && !token.isLate(now)) {
                return token;
            }
            asked = ask();
            if (token != null && counts) {
                return token;
            }
        }
        try {
            return asked.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new NothingSent(String.valueOf(e.getCause() == null ? null : e.getCause().getMessage()), e);
        } catch (TimeoutException e) {
            throw new NothingSent("no token in time", e);
        }
    }

    /// The downstream does not take it: the next forward gets another one.
    synchronized void drop(Token token) {
        if (token.equals(current)) {
            current = null;
        }
    }

    private synchronized CompletableFuture<Token> ask() {
        CompletableFuture<Token> last = underWay;
        boolean justFailed = last != null && last.isCompletedExceptionally()
                && clocks.nanos() - endedAt < PAUSE.toNanos();
        if (last != null && (!last.isDone() || justFailed)) {
            return last;
        }
        CompletableFuture<Token> fresh = new CompletableFuture<>();
        underWay = fresh;
        Thread.ofVirtual().name("downstream-token").start(() -> ask(fresh));
        return fresh;
    }

    private void ask(CompletableFuture<Token> told) {
        try {
            Token token = source.ask();
            synchronized (this) {
                current = token;
            }
            told.complete(token);
        } catch (NothingSent | RuntimeException e) {
            synchronized (this) {
                endedAt = clocks.nanos();
            }
            told.completeExceptionally(e);
        }
    }
}

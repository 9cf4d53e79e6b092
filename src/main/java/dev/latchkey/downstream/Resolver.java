package dev.latchkey.downstream;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Finds the addresses of one host. The system's lookup cannot be bounded and holds its carrier thread, so it runs on a
/// platform thread of its own, one at a time, and everybody waits for that one. Safe for any number of threads.
final class Resolver {

    private final String host;
    private final InetAddress @Nullable [] literal;
    private @Nullable CompletableFuture<InetAddress[]> underWay;

    Resolver(String host) {
        this.host = host;
        this.literal = literal(host);
    }

    private static InetAddress @Nullable [] literal(String host) {
        try {
            return new InetAddress[] {InetAddress.ofLiteral(host)};
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /// Whether the host is an address and not a name.
    boolean isLiteral() {
        return literal != null;
    }

    /// @throws NothingSent when there is no such name, or no answer in time
    InetAddress[] resolve(Duration atMost) throws NothingSent, InterruptedException {
        if (literal != null) {
            return literal;
        }
        try {
            return lookup().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new NothingSent("name not resolved", e);
        } catch (TimeoutException e) {
            throw new NothingSent("name not resolved in time", e);
        }
    }

    private synchronized CompletableFuture<InetAddress[]> lookup() {
        CompletableFuture<InetAddress[]> current = underWay;
        if (current == null || current.isDone()) {
            CompletableFuture<InetAddress[]> fresh = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("downstream-resolver").start(() -> ask(fresh));
            underWay = fresh;
            return fresh;
        }
        return current;
    }

    private void ask(CompletableFuture<InetAddress[]> answer) {
        try {
            answer.complete(InetAddress.getAllByName(host));
        } catch (UnknownHostException | RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.http.Body;
import dev.latchkey.http.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.jspecify.annotations.Nullable;

/// Reads a request's body whole, within the limit and the bytes that the replica may hold. What a request only declares
/// takes no room: the share grows with what has come.
final class BodyReader {

    private static final int FIRST = 8 * 1024;

    private final int most;

    /// @param most bytes allowed in one body
    BodyReader(long most) {
        this.most = (int) Math.min(most, Integer.MAX_VALUE - 16L);
    }

    /// What reading came to.
    sealed interface Read {
        record Whole(Body body) implements Read {}

        /// More than the limit.
        record TooLarge(long limit) implements Read {}

        /// The replica holds as many bytes as it may.
        record NoRoom() implements Read {}

        /// It did not come in time.
        record Slow() implements Read {}

        /// It is no well-formed body.
        record Broken(String reason) implements Read {}

        /// The caller hung up before its end.
        record Gone() implements Read {}
    }

    /// The body of a call; null: the caller hung up before it was whole.
    ///
    /// @throws Refusing where it cannot be had
    @Nullable
    Body whole(Exchange exchange, ByteBudget.Share share) {
        return switch (read(exchange, exchange.declaredLength(), share)) {
            case Read.Whole whole -> whole.body();
            case Read.TooLarge large -> throw tooLarge(large.limit());
            case Read.NoRoom _ -> throw new Refusing(
                    Problem.OVERLOADED,
                    "This replica holds as many bytes of bodies as it may. Nothing was forwarded by this call. Call again"
                            + " with the same key.");
            case Read.Slow _ -> throw slow();
            case Read.Broken broken -> throw new Refusing(Problem.REQUEST_INVALID, broken.reason());
            case Read.Gone _ -> null;
        };
    }

    /// Holds a body that is there already to the limit.
    ///
    /// @throws Refusing where it is larger
    void check(Body body) {
        if (body.length() > most) {
            throw tooLarge(most);
        }
    }

    static Refusing slow() {
        return new Refusing(
                Problem.REQUEST_TOO_SLOW,
                "The body did not come in time. Nothing was forwarded by this call. Call again with the same key.");
    }

    private static Refusing tooLarge(long limit) {
        return new Refusing(
                Problem.BODY_TOO_LARGE, "The body is larger than the " + limit + " bytes that this gateway takes.");
    }

    /// @param declared its length as the request says; negative: it does not
    Read read(Exchange exchange, long declared, ByteBudget.Share share) {
        if (declared > most) {
            return new Read.TooLarge(most);
        }
        if (declared == 0) {
            return new Read.Whole(Body.empty());
        }
        try {
            PacedInput in = exchange.body();
            in.holds(share::held);
            Read read = read(in, declared, share);
            if (read instanceof Read.Whole) {
                exchange.bodyIsWhole();
            }
            return read;
        } catch (IOException | RuntimeException e) {
            Read failed = failed(e);
            if (failed instanceof Read.Slow) {
                exchange.giveBodyUp();
            }
            return failed;
        }
    }

    private Read read(InputStream in, long declared, ByteBudget.Share share) throws IOException {
        // One byte more than allowed, to see that there is more; no more than declared, to copy nothing.
        int end = declared > 0 ? (int) declared : most + 1;
        byte[] bytes = new byte[Math.min(end, FIRST)];
        int length = 0;
        if (!share.grow(bytes.length)) {
            return new Read.NoRoom();
        }
        while (true) {
            int got = in.readNBytes(bytes, length, bytes.length - length);
            length += got;
            if (length > most) {
                return new Read.TooLarge(most);
            }
            if (length < bytes.length || bytes.length == end) {
                return new Read.Whole(Body.of(length == bytes.length ? bytes : Arrays.copyOf(bytes, length)));
            }
            int larger = (int) Math.min(end, bytes.length * 2L);
            if (!share.grow(larger - bytes.length)) {
                return new Read.NoRoom();
            }
            bytes = Arrays.copyOf(bytes, larger);
        }
    }

    private static Read failed(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HttpException) {
                return new Read.Broken("The body is not well-formed (chunked coding).");
            }
            if (cause instanceof TimeoutException || cause instanceof TooSlow) {
                return new Read.Slow();
            }
        }
        if (failure instanceof IOException) {
            return new Read.Gone();
        }
        throw (RuntimeException) failure;
    }
}

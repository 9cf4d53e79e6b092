package dev.latchkey.server;

import dev.latchkey.gateway.Clocks;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/// What is known of how slow one connection's caller is. Written by whoever serves the connection, read by the round that
/// ends slow ones. Safe for any number of threads.
final class Watch {

    private final Connection connection;
    private final CallerPace pace;
    private final Duration idle;
    private final Clocks clocks;
    private volatile boolean serving;
    private long requests;
    private volatile long quietSince;
    private volatile long bytesThen;
    private volatile long lastLine;
    private volatile @Nullable Step reading;
    private volatile @Nullable Step writing;
    /// Only the round's own: when it first saw a part of the next request.
    private @Nullable Long headSeen;

    /// Something that the caller keeps waiting.
    ///
    /// @param began since when the caller keeps it waiting, in nanoseconds
    /// @param by when it must be over
    /// @param held bytes that the gateway holds for the caller meanwhile
    record Step(long began, long by, LongSupplier held) {}

    /// @param idle how long a connection may be silent between requests
    Watch(Connection connection, CallerPace pace, Duration idle, Clocks clocks) {
        this.connection = connection;
        this.pace = pace;
        this.idle = idle;
        this.clocks = clocks;
        this.quietSince = clocks.nanos();
        this.lastLine = quietSince - pace.time().toNanos();
    }

    CallerPace pace() {
        return pace;
    }

    Clocks clocks() {
        return clocks;
    }

    /// A request's header fields are whole, and somebody serves it.
    ///
    /// @return run once it is answered; does nothing if the next one has begun by then
    synchronized Runnable begin() {
        long mine = ++requests;
        serving = true;
        return () -> end(mine);
    }

    private synchronized void end(long request) {
        if (request != requests) {
            return;
        }
        bytesThen = connection.getBytesIn();
        quietSince = clocks.nanos();
        serving = false;
    }

    /// Null: nobody reads.
    void read(@Nullable Step step) {
        reading = step;
    }

    /// Null: nobody writes.
    void write(@Nullable Step step) {
        writing = step;
    }

    /// A whole line of a batch came: many callers send all before they read.
    void line() {
        lastLine = clocks.nanos();
    }

    /// What the caller does not take although it sends nothing either; null: nothing.
    private @Nullable Step untaken(long now) {
        return now - lastLine < pace.time().toNanos() ? null : writing;
    }

    /// Everything that the caller keeps waiting.
    Stream<Step> standing(long now) {
        return Stream.concat(Stream.ofNullable(reading), Stream.ofNullable(untaken(now)));
    }

    /// Whether the caller is slower than it may be.
    boolean isTooSlow(long now) {
        Step read = reading;
        Step write = untaken(now);
        return isOver(read, now) || isOver(write, now) || (!serving && isHeadLate(now));
    }

    private static boolean isOver(@Nullable Step step, long now) {
        return step != null && now - step.by() > 0;
    }

    private boolean isHeadLate(long now) {
        if (connection.getBytesIn() <= bytesThen) {
            headSeen = null;
        } else if (headSeen == null || headSeen - quietSince < 0) {
            headSeen = now;
        }
        Long seen = headSeen;
        // A handshake's bytes are not counted as the connection's.
        return (seen != null && now - seen > pace.time().toNanos())
                || now - quietSince > idle.plus(pace.time()).toNanos();
    }

    void close() {
        connection.getEndPoint().close(new IOException("the caller was too slow"));
    }
}

package dev.latchkey.server;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What a caller sends, held to its pace: a single read is ended by the round of [SlowCallers], many small ones here. Used
/// by one thread.
final class PacedInput extends InputStream {

    /// Who still sends is told why: the next byte ends it here, where there can be an answer, before the round cuts it.
    private static final Duration LAST_BYTE = SlowCallers.ROUND.multipliedBy(2);

    private final InputStream in;
    private final Watch watch;
    private final boolean lines;
    private long spent;
    private long moved;
    private boolean between;
    private long keptAt;
    private long movedThen;
    private volatile LongSupplier held = () -> 0;

    /// @param lines whether each line is held to the pace alone, and the time between two lines to nothing
    PacedInput(InputStream in, Watch watch, boolean lines) {
        this.in = in;
        this.watch = watch;
        this.lines = lines;
        this.between = lines;
        this.keptAt = watch.clocks().nanos();
    }

    /// Told of the bytes that the gateway holds until the rest has come.
    void holds(LongSupplier bytes) {
        held = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        long began = watch.clocks().nanos();
        int got = -1;
        watch.read(step(began));
        try {
            got = in.read(bytes, offset, length);
        } finally {
            watch.read(null);
            count(got, began);
        }
        if (got > 0 && lines && bytes[offset + got - 1] == '\n') {
            between = true;
            spent = 0;
            moved = 0;
            movedThen = 0;
        }
        if (spent > watch.pace().nanosFor(moved)) {
            throw new TooSlow();
        }
        return got;
    }

    private Watch.@Nullable Step step(long began) {
        long by = began + watch.pace().nanosFor(moved) - spent + LAST_BYTE.toNanos();
        return between ? null : new Watch.Step(keptAt, by, held);
    }

    private void count(int got, long began) {
        long now = watch.clocks().nanos();
        spent += between ? 0 : now - began;
        moved += Math.max(0, got);
        // What came quickly before is no credit here: who stops at the last byte holds the most, and stands from then on.
        if (between || watch.pace().isRateKept(moved - movedThen, now - keptAt)) {
            keptAt = now;
            movedThen = moved;
        }
        between &= got <= 0;
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Takes a batch apart into its lines, one after the other. A line is held only once the replica has room for it; one that
/// is too long, or for which there is no room for a while, is passed over without being held. Used by one thread.
final class LineReader {

    private static final int AT_ONCE = 8 * 1024;
    /// The objects around a line and its answer.
    private static final int AROUND = 1024;
    private static final byte[] NOTHING = new byte[0];
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    /// Other calls give their room back within this; if they do not, the line is refused as a call would be.
    private static final Duration MOST_FOR_ROOM = Duration.ofSeconds(10);

    private final InputStream in;
    private final int most;
    private final ByteBudget budget;
    private final Clocks clocks;
    private final BooleanSupplier busy;
    private final byte[] came = new byte[AT_ONCE];
    private int at;
    private int end;
    private long index = -1;
    private volatile ByteBudget.@Nullable Share unfinished;

    /// @param most bytes allowed in one line
    /// @param busy whether the batch has something to wait for besides its next line: then a sender may take its time
    LineReader(InputStream in, int most, ByteBudget budget, Clocks clocks, BooleanSupplier busy) {
        this.in = in;
        this.most = most;
        this.budget = budget;
        this.clocks = clocks;
        this.busy = busy;
    }

    /// What comes next.
    sealed interface Next {
        /// A line that is not blank.
        ///
        /// @param index counts every line from 0, blank ones too
        /// @param text without the end of the line
        /// @param share to be closed when the line is no longer held
        record Line(long index, Body text, ByteBudget.Share share) implements Next {

            /// About how much of the heap it takes, with what is made of it.
            long weight() {
                return 2L * text.length() + AROUND;
            }
        }

        /// More than is allowed in one line.
        record TooLong(long index, int most) implements Next {}

        /// The replica holds as many bytes as it may.
        record NoRoom(long index) implements Next {}

        /// No line follows.
        record End() implements Next {}
    }

    /// Bytes that the line takes which has begun and not ended. Safe for any number of threads.
    long held() {
        ByteBudget.Share share = unfinished;
        return share == null ? 0 : share.held();
    }

    /// @throws IOException where the batch does not end well
    Next next() throws IOException {
        while (at < end || fill()) {
            index++;
            Next next = line();
            if (next != null) {
                return next;
            }
        }
        return new Next.End();
    }

    /// The line that begins here; null: it is blank.
    private @Nullable Next line() throws IOException {
        Gathered line = new Gathered();
        unfinished = line.share;
        try {
            boolean ended;
            do {
                int newline = newline();
                ended = newline >= 0;
                line.add(ended ? newline : end, ended);
                at = ended ? newline + 1 : end;
            } while (!ended && fill());
            return line.result();
        } finally {
            unfinished = null;
            line.closeUnlessGiven();
        }
    }

    private int newline() {
        for (int i = at; i < end; i++) {
            if (came[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /// @return false where the batch is over
    private boolean fill() throws IOException {
        while (true) {
            try {
                at = 0;
                end = Math.max(0, in.read(came));
                return end > 0;
            } catch (IOException e) {
                end = 0;
                if (!isTimeout(e) || !busy.getAsBoolean()) {
                    throw e;
                }
            }
        }
    }

    private static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return true;
            }
        }
        return false;
    }

    /// One line in the making.
    private final class Gathered {
        private final ByteBudget.Share share = budget.open();
        private byte[] bytes = NOTHING;
        private int length;
        private boolean blank = true;
        private boolean given;
        private @Nullable Next refused;

        /// Takes what came, up to there.
        ///
        /// @param last whether nothing follows
        void add(int stop, boolean last) {
            int more = stop - at;
            if (refused == null && length + (long) more > most) {
                refuse(new Next.TooLong(index, most));
            }
            if (refused == null && length + more > bytes.length && !grow(length + more, last)) {
                refuse(new Next.NoRoom(index));
            }
            if (refused == null) {
                System.arraycopy(came, at, bytes, length, more);
                length += more;
                for (int i = at; i < stop && blank; i++) {
                    blank = came[i] == ' ' || came[i] == '\t' || came[i] == '\r';
                }
            }
        }

        @Nullable
        Next result() {
            if (refused != null) {
                return refused;
            }
            if (blank) {
                return null;
            }
            given = true;
            return new Next.Line(index, Body.of(length == bytes.length ? bytes : Arrays.copyOf(bytes, length)), share);
        }

        void closeUnlessGiven() {
            if (!given) {
                share.close();
            }
        }

        private void refuse(Next why) {
            refused = why;
            bytes = NOTHING;
            share.close();
        }

        private boolean grow(int needed, boolean last) {
            int size = last ? needed : (int) Math.min(most, Math.max(needed, bytes.length * 2L));
            // Twice, for the body that is made of it.
            long more = 2L * (size - bytes.length) + (bytes.length == 0 ? AROUND : 0);
            for (long begin = clocks.nanos(); !share.grow(more);) {
                if (clocks.nanos() - begin > MOST_FOR_ROOM.toNanos() || !slept()) {
                    return false;
                }
            }
            bytes = Arrays.copyOf(bytes, size);
            return true;
        }

        private boolean slept() {
            try {
                clocks.sleep(LOOK_AGAIN);
                return true;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}

package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Clocks;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    private static final int MOST = 20_000;

    private final ByteBudget budget = new ByteBudget(100_000);
    private final AtomicLong nanos = new AtomicLong();
    private boolean busy;

    /// Time passes only where somebody sleeps.
    private final Clocks clocks = new Clocks() {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void sleep(Duration time) {
            nanos.addAndGet(time.toNanos());
        }
    };

    private LineReader reader(InputStream in) {
        return new LineReader(in, MOST, budget, clocks, () -> busy);
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static InputStream failing(IOException failure) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                throw failure;
            }

            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                throw failure;
            }
        };
    }

    /// Each line as `index:text`, and what it held is given back.
    private static List<String> all(LineReader reader) throws IOException {
        List<String> all = new ArrayList<>();
        while (true) {
            switch (reader.next()) {
                case LineReader.Next.Line line -> {
                    all.add(line.index() + ":" + line.text().utf8());
                    line.share().close();
                }
                case LineReader.Next.TooLong tooLong -> all.add(tooLong.index() + " too long");
                case LineReader.Next.NoRoom noRoom -> all.add(noRoom.index() + " no room");
                case LineReader.Next.End _ -> {
                    return all;
                }
            }
        }
    }

    @Test
    void blankLinesCountAndAreNotThere() throws IOException {
        assertThat(all(reader(text("a\n\n \t\r\nb\r\n\n")))).containsExactly("0:a", "3:b\r");
        assertThat(all(reader(text("")))).isEmpty();
        assertThat(all(reader(text("\n\n")))).isEmpty();
        assertThat(all(reader(text("a")))).containsExactly("0:a");
    }

    @Test
    void lineMayBeLongerThanWhatIsReadAtOnce() throws IOException {
        String longest = "x".repeat(MOST);
        assertThat(all(reader(text("a\n" + longest + "\n" + longest + "y\n" + longest)))).containsExactly(
                "0:a", "1:" + longest, "2 too long", "3:" + longest);
        assertThat(budget.held()).isZero();
    }

    @Test
    void endlessLineIsNotHeld() throws IOException {
        assertThat(all(reader(text("x".repeat(5_000_000) + "\nb")))).containsExactly("0 too long", "1:b");
        assertThat(budget.held()).isZero();
    }

    @Test
    void lineThatNobodyHasRoomForIsPassedOverAfterAWhile() throws IOException {
        try (ByteBudget.Share others = budget.open()) {
            others.grow(90_000);
            assertThat(all(reader(text("a\n" + "x".repeat(15_000) + "\nb")))).containsExactly("0:a", "1 no room",
                    "2:b");
            assertThat(Duration.ofNanos(nanos.get())).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void halfALineOfASenderWhoLeftIsNoLine() throws IOException {
        LineReader reader = reader(new SequenceInputStream(text("a\nhalf"), failing(new EOFException())));
        assertThat(reader.next()).isInstanceOfSatisfying(
                LineReader.Next.Line.class, line -> line.share().close());
        assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
        assertThat(budget.held()).isZero();
    }

    @Test
    void silenceIsTheEndOnlyWhereNothingElseIsWaitedFor() throws IOException {
        InputStream pausing = new InputStream() {
            private int reads;

            @Override
            public int read() {
                throw new IllegalStateException("lines are not read byte by byte");
            }

            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                reads++;
                if (reads == 1) {
                    throw new IOException(new TimeoutException());
                }
                into[from] = 'a';
                return reads == 2 ? 1 : -1;
            }
        };
        busy = true;
        assertThat(all(reader(pausing))).containsExactly("0:a");
        busy = false;
        assertThatThrownBy(reader(failing(new IOException(new TimeoutException())))::next)
                .isInstanceOf(IOException.class);
    }
}

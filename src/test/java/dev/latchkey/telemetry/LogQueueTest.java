package dev.latchkey.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/// The log never holds anybody up, whatever becomes of standard output.
class LogQueueTest {

    private static final String UNWRITABLE = "unwritable";
    private static final Duration SOON = Duration.ofSeconds(20);

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final CountDownLatch reading = new CountDownLatch(1);
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final LogQueue queue = new LogQueue(new PrintStream(new OutputStream() {
        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            try {
                reading.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            printed.write(bytes, from, length);
        }
    }));

    LogQueueTest() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder() {
            @Override
            public byte[] encode(ILoggingEvent event) {
                if (event.getMessage().equals(UNWRITABLE)) {
                    throw new IllegalStateException("nobody knows how");
                }
                return super.encode(event);
            }
        };
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        queue.setContext(context);
        queue.setEncoder(encoder);
        queue.start();
    }

    @AfterEach
    void stop() {
        reading.countDown();
        queue.stop();
    }

    @Test
    void linesComeInTheirOrder() {
        reading.countDown();
        IntStream.range(0, 1_000).forEach(i -> say(Level.INFO, "line " + i));
        queue.await(SOON);
        assertThat(lines()).containsExactlyElementsOf(IntStream.range(0, 1_000).mapToObj(i -> "line " + i).toList());
    }

    /// This thread says far more than there is room for, and comes to its end.
    @Test
    @Timeout(30)
    void nobodyWaitsForAReaderThatStands() {
        long before = LogQueue.dropped();
        IntStream.range(0, 20_000).forEach(i -> say(Level.INFO, "call"));
        say(Level.WARN, "a warning");
        long dropped = LogQueue.dropped() - before;
        reading.countDown();
        queue.await(SOON);
        assertThat(dropped).isPositive();
        assertThat(lines()).endsWith("a warning").hasSize((int) (20_001 - dropped));
    }

    @Test
    void aLineThatCannotBeWrittenIsDroppedAlone() {
        long before = LogQueue.dropped();
        say(Level.INFO, UNWRITABLE);
        say(Level.INFO, "after it");
        reading.countDown();
        queue.await(SOON);
        assertThat(lines()).containsExactly("after it");
        assertThat(LogQueue.dropped() - before).isEqualTo(1);
    }

    /// It is written later.
    @Test
    void aLineSaysWhatHeldWhenItWasSaid() {
        AtomicInteger counted = new AtomicInteger(1);
        say(Level.INFO, "{}", counted);
        counted.set(2);
        reading.countDown();
        queue.await(SOON);
        assertThat(lines()).containsExactly("1");
    }

    @Test
    void waitingForTheLastLinesHasAnEnd() {
        say(Level.INFO, "call");
        queue.await(Duration.ofMillis(50));
        assertThat(lines()).isEmpty();
    }

    private void say(Level level, String message, Object... values) {
        queue.doAppend(new LoggingEvent("", context.getLogger("dev.latchkey"), level, message, null, values));
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
}

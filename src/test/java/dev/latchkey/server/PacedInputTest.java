package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.FixedClocks;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.junit.jupiter.api.Test;

/// Since when a sender is thought to stand.
class PacedInputTest {

    private static final CallerPace PACE = new CallerPace(Duration.ofMinutes(1), 1_000);

    private final FixedClocks clocks = new FixedClocks();
    private final Watch watch = new Watch(new Unused(), PACE, Duration.ofMinutes(1), clocks);
    private final Sender sender = new Sender();

    @Test
    void senderWhoKeepsTheRateDoesNotStand() throws IOException {
        PacedInput in = new PacedInput(sender, watch, false);
        for (int second = 0; second < 20; second++) {
            sender.send(in, 1_000);
        }
        assertThat(sender.stood).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void senderStandsFromItsLastQuickByteOn() throws IOException {
        PacedInput in = new PacedInput(sender, watch, false);
        sender.send(in, 1_000_000);
        for (int second = 0; second < 20; second++) {
            sender.send(in, 1);
        }
        assertThat(sender.stood).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void lineBeginsWithItsFirstByte() throws IOException {
        PacedInput in = new PacedInput(sender, watch, true);
        for (int second = 0; second < 20; second++) {
            sender.send(in, 0);
        }
        sender.send(in, 1);
        assertThat(sender.stood).isZero();
        sender.send(in, 1);
        assertThat(sender.stood).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void bytesThatAreHeldAreTold() throws IOException {
        PacedInput in = new PacedInput(sender, watch, false);
        in.holds(() -> 4_711);
        sender.send(in, 1);
        assertThat(sender.held).isEqualTo(4_711);
    }

    /// Lets a second pass before it sends, and looks then for how long it is thought to stand.
    private final class Sender extends InputStream {
        private Duration stood = Duration.ZERO;
        private long held;
        private int next;

        void send(PacedInput in, int bytes) throws IOException {
            next = bytes;
            stood = Duration.ZERO;
            in.read(new byte[1_000_000]);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            clocks.forward(Duration.ofSeconds(1));
            watch.standing(clocks.nanos()).forEach(step -> {
                stood = Duration.ofNanos(clocks.nanos() - step.began());
                held = step.held().getAsLong();
            });
            return next;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("many bytes at once");
        }
    }

    private static final class Unused extends AbstractConnection {
        Unused() {
            super(new ByteArrayEndPoint(), Runnable::run);
        }

        @Override
        public void onFillable() {
            // Nothing comes.
        }
    }
}

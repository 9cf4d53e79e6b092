package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A body's last byte waits for what it stands for.
@Timeout(20)
class HeldBodyTest {

    private final HeldBody body = new HeldBody(-1, Patience.of(new SystemClocks(), Duration.ofSeconds(5)));
    private final ByteArrayOutputStream caller = new ByteArrayOutputStream();

    @Test
    void releasedBodyArrivesWhole() throws IOException {
        body.offer(new byte[] {1, 2, 3});
        body.offer(new byte[0]);
        body.offer(new byte[] {4});
        body.release();
        body.writeTo(caller);
        assertThat(caller.toByteArray()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void cutBodyNeverShowsItsLastByte() {
        body.offer(new byte[] {1, 2, 3});
        body.cut();
        assertThatThrownBy(() -> body.writeTo(caller)).isInstanceOf(CutBody.class);
        assertThat(caller.size()).isLessThan(3);
    }

    @Test
    void lastByteIsHeldUntilTheRelease() throws Exception {
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                body.writeTo(caller);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        body.offer(new byte[] {1, 2});
        await().until(() -> caller.size() == 1);
        body.release();
        writer.join();
        assertThat(caller.toByteArray()).containsExactly(1, 2);
    }

    @Test
    void callerWhoLeftDoesNotStopTheForward() {
        HeldBody slow = new HeldBody(-1, Patience.of(new SystemClocks(), Duration.ofMillis(10)));
        for (int i = 0; i < 100; i++) {
            slow.offer(new byte[] {1});
        }
        slow.release();
        assertThatThrownBy(() -> slow.writeTo(caller)).isInstanceOf(IOException.class).isNotInstanceOf(CutBody.class);
    }

    @Test
    void bodyThatIsNeverCommittedIsCut() {
        body.offer(new byte[] {1, 2, 3});
        body.holdUntil(Patience.of(new SystemClocks(), Duration.ofMillis(10)));
        assertThatThrownBy(() -> body.writeTo(caller)).isInstanceOf(CutBody.class);
        assertThat(caller.size()).isLessThan(3);
    }
}

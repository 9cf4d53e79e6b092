package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// A load that takes any answer for a good one measures how fast errors come.
class AnswersTest {

    private static final String FRESH =
            "HTTP/1.1 201 Created\r\nDate: now\r\nIdempotent-Replayed: false\r\nContent-Length: 4\r\n\r\ndone";

    @Test
    void anAnswerEndsWhereItsLengthSays() {
        byte[] bytes = bytes(FRESH);
        int head = Frame.head(bytes, bytes.length);
        assertThat(head).isEqualTo(FRESH.indexOf("done"));
        assertThat(Frame.length(bytes, head)).isEqualTo(4);
        assertThat(Frame.head(bytes, head - 1)).isEqualTo(-1);
        assertThat(Frame.length(bytes("HTTP/1.1 204 No Content\r\n\r\n"), 27)).isEqualTo(-1);
    }

    @Test
    void theRightAnswerPasses() {
        check(new Expected(201, false, 4), FRESH);
        check(new Expected(201, true, 4), FRESH.replace("false", "true"));
        check(new Expected(201, null, 4), FRESH.replace("Idempotent-Replayed: false\r\n", ""));
    }

    @Test
    void anotherAnswerFails() {
        for (Expected expected : new Expected[] {
            new Expected(200, false, 4), new Expected(201, true, 4), new Expected(201, null, 4),
            new Expected(201, false, 5)}) {
            assertThatIllegalStateException().isThrownBy(() -> check(expected, FRESH));
        }
        assertThatIllegalStateException().isThrownBy(
                () -> check(new Expected(201, false, 4), FRESH.replace("Idempotent-Replayed: false\r\n", "")));
    }

    @Test
    void eachFirstCallHasItsOwnKeyAndReplaysComeRound() {
        Requests first = Requests.first("bench");
        assertThat(next(first)).contains("Idempotency-Key: \"bench-000000000000\"")
                .endsWith("\r\n\r\n" + Requests.BODY);
        assertThat(next(first)).contains("Idempotency-Key: \"bench-000000000001\"");
        Requests again = Requests.again("bench", 1);
        assertThat(next(again)).isEqualTo(next(again)).contains("\"bench-000000000000\"");
        assertThat(next(Requests.unkeyed(201, null))).doesNotContain("Idempotency-Key");
    }

    private static String next(Requests requests) {
        ByteBuffer buffer = ByteBuffer.allocate(requests.size());
        requests.next(buffer);
        return StandardCharsets.US_ASCII.decode(buffer).toString();
    }

    private static void check(Expected expected, String answer) {
        byte[] bytes = bytes(answer);
        expected.check(bytes, Frame.head(bytes, bytes.length), bytes.length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

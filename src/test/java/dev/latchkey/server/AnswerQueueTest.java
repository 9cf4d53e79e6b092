package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// Answers on their way, and what they look like.
class AnswerQueueTest {

    private final ByteBudget budget = new ByteBudget(1_000);
    private final AnswerQueue queue = new AnswerQueue(1_000, budget);

    private static AnswerLine line(Body body, Headers headers) {
        Answer answer = new Answer.Delivered(new Response(201, headers, body), State.RECORDED, true, null, null, null);
        return AnswerLine.of(7, IdempotencyKey.of("k \"1\""), answer, Reply.of(201, headers, body));
    }

    private static String text(AnswerLine.Sendable sendable) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        sendable.writeTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void lineSaysAllThatASingleAnswerSays() throws IOException {
        assertThat(text(
                line(Body.ofUtf8("{\"é\":\"\n\"}"), Headers.of("Link", "<a>", "X", "ü", "link", "<b>")).sendable()))
                .isEqualTo("{\"index\":7,\"key\":\"k \\\"1\\\"\",\"status\":201,"
                        + "\"headers\":{\"Link\":[\"<a>\",\"<b>\"],\"X\":\"ü\"},\"body\":\"{\\\"é\\\":\\\"\\n\\\"}\","
                        + "\"replayed\":true,\"state\":\"recorded\"}\n");
        assertThat(text(line(Body.of(new byte[] {-1}), Headers.empty()).sendable()))
                .contains("\"body_base64\":\"/w==\"").doesNotContain("\"body\":");
        assertThat(text(line(Body.empty(), Headers.empty()).sendable())).contains("\"body\":\"\"");
    }

    @Test
    void largeBodyIsPutIntoItsLineOnlyWhileItIsSent() throws IOException {
        byte[] large = new byte[1_000_000];
        Arrays.fill(large, (byte) '"');
        AnswerLine.Sendable sendable = line(Body.of(large), Headers.empty()).sendable();
        assertThat(sendable.weight()).isBetween(1_000_000L, 1_010_000L);
        assertThat(text(sendable)).hasSizeGreaterThan(2_000_000).endsWith("\n").contains("\\\"\\\"");
    }

    @Test
    void textIsTextOnlyWhereItIsUtf8() {
        assertThat(AnswerLine.isText("é€😀".repeat(1_000).getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(AnswerLine.isText(new byte[0])).isTrue();
        for (byte[] not : new byte[][] {{(byte) 0xC3}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xC0, (byte) 0x80}}) {
            assertThat(AnswerLine.isText(not)).isFalse();
        }
    }

    @Test
    void noLineIsBegunBeyondWhatMayBeHeldUntilAnAnswerIsTaken() throws Exception {
        AnswerLine.Sendable answer = line(Body.ofUtf8("x".repeat(900)), Headers.empty()).sendable();
        assertThat(queue.begin(100)).isTrue();
        queue.end(100, answer);
        assertThat(answer.weight()).isGreaterThan(1_000);
        FutureTask<Boolean> room = new FutureTask<>(queue::awaitRoom);
        Thread reading = Thread.ofVirtual().start(room);
        await().until(() -> reading.getState() == Thread.State.WAITING);
        assertThat(queue.next()).isSameAs(answer);
        assertThat(room.get()).isTrue();
        assertThat(budget.held()).isZero();
    }

    @Test
    void answersEndOnceNoLineIsUnderWay() throws Exception {
        queue.begin(0);
        queue.close();
        FutureTask<Object> next = new FutureTask<>(() -> queue.next() == null ? "none" : "one");
        Thread writing = Thread.ofVirtual().start(next);
        await().until(() -> writing.getState() == Thread.State.WAITING);
        assertThat(queue.isBusy()).isTrue();
        queue.end(0, null);
        assertThat(next.get()).isEqualTo("none");
        assertThat(queue.isBusy()).isFalse();
    }

    @Test
    void nothingIsBegunOrHeldForACallerWhoIsGone() {
        queue.begin(0);
        queue.begin(0);
        queue.end(0, line(Body.empty(), Headers.empty()).sendable());
        assertThat(budget.held()).isPositive();
        queue.leave();
        queue.end(0, line(Body.empty(), Headers.empty()).sendable());
        assertThat(budget.held()).isZero();
        assertThat(queue.begin(0)).isFalse();
        assertThat(queue.awaitRoom()).isFalse();
        assertThat(queue.next()).isNull();
    }
}

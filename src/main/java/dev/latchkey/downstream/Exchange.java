package dev.latchkey.downstream;

import dev.latchkey.gateway.Downstream.Overflow;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One request and its response on one connection. Whatever happens after the first byte was written is an answer or in
/// doubt, never a reason to write it again.
final class Exchange {

    private final Connection connection;
    private final RequestWriter writer;
    private final String method;
    private final int cap;
    private final Overflow overflow;
    private boolean reusable;
    private @Nullable Duration keepAlive;

    Exchange(Connection connection, RequestWriter writer, String method, int cap, Overflow overflow) {
        this.connection = connection;
        this.writer = writer;
        this.method = method;
        this.cap = cap;
        this.overflow = overflow;
    }

    /// @param deadline resets the connection when it fires
    Outcome run(Alarm deadline) {
        boolean orderly = false;
        try {
            if (!writer.begin()) {
                orderly = true;
                return new Outcome.NotSent("too late to send");
            }
            Outcome.Answered answer = receive();
            orderly = awaitWriter();
            return answer;
        } catch (IOException e) {
            return new Outcome.Unknown(cause(e, deadline));
        } finally {
            orderly &= deadline.disarm();
            reusable &= orderly;
            if (!orderly) {
                connection.reset();
            } else if (!reusable) {
                connection.close();
            }
        }
    }

    private Cause cause(IOException e, Alarm deadline) {
        if (deadline.fired() || writer.windowShut()) {
            return Cause.TIMEOUT;
        }
        return e instanceof MalformedResponse ? Cause.MALFORMED_RESPONSE : Cause.CONNECTION_LOST;
    }

    private Outcome.Answered receive() throws IOException {
        WireInput input = connection.input();
        ResponseHead head = ResponseHead.readFinal(input);
        boolean sentWhole = writer.responseCame(head.status());
        Framing framing = Framing.of(method, head);
        BodySink sink = new BodySink(head, Framing.lengthOf(framing), cap, overflow);
        new BodyReader(input, sink).read(framing);
        keepAlive = head.keepAlive();
        reusable = !head.announcesClose();
        return new Outcome.Answered(head.status(), head.headers(), sink.body(), sentWhole);
    }

    private boolean awaitWriter() {
        try {
            return writer.awaitEnd();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Whether the connection can carry another request.
    boolean reusable() {
        return reusable;
    }

    /// How long the downstream keeps it for that; null: it does not say.
    @Nullable
    Duration keepAlive() {
        return keepAlive;
    }
}

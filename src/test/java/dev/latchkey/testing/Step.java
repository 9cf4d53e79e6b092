package dev.latchkey.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What the downstream does with one request that it received.
@FunctionalInterface
public interface Step {

    /// Plays the step; the connection stays open afterwards unless the step closed it.
    void play(Received request, Wire wire) throws IOException, InterruptedException;

    /// Whether the body is read before the step is played.
    default boolean readsBody() {
        return true;
    }

    /// A complete response with a `Content-Length`; add to it with [Reply]'s methods.
    static Reply reply(int status) {
        return Reply.of(status);
    }

    /// A JSON response.
    static Reply json(int status, String body) {
        return Reply.of(status).header("Content-Type", "application/json").body(body.getBytes(StandardCharsets.UTF_8));
    }

    /// These bytes, whatever they are; the connection stays open.
    static Step raw(String latin1) {
        return (_, wire) -> wire.write(latin1);
    }

    /// These bytes, then an orderly close.
    static Step rawThenClose(String latin1) {
        return (_, wire) -> wire.write(latin1).close();
    }

    /// These bytes, then a reset.
    static Step rawThenReset(String latin1) {
        return (_, wire) -> wire.write(latin1).reset();
    }

    /// Reads the request and closes without a word.
    static Step close() {
        return (_, wire) -> wire.close();
    }

    /// Reads the request and resets the connection.
    static Step reset() {
        return (_, wire) -> wire.reset();
    }

    /// Says that more will come than it sends, then closes.
    static Step truncated() {
        return rawThenClose("HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nonly this");
    }

    /// Never answers; ends when the other end gives up.
    static Step hang() {
        return (_, wire) -> wire.awaitPeerClose();
    }

    /// Plays the step as soon as the head was read, without reading the body.
    static Step early(Step step) {
        return new Step() {
            @Override
            public void play(Received request, Wire wire) throws IOException, InterruptedException {
                step.play(request, wire);
            }

            @Override
            public boolean readsBody() {
                return false;
            }
        };
    }

    /// Plays the step, then closes without having announced it: the next user of a pooled connection finds it stale.
    default Step thenClose() {
        return (request, wire) -> {
            play(request, wire);
            wire.close();
        };
    }
}

package dev.latchkey.testing;

import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A complete response as a [Step]. Immutable; header values are written one byte a character.
///
/// @param status the status
/// @param headers the field lines apart from the framing
/// @param body the content
/// @param chunked whether it is framed by chunks and not by `Content-Length`
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Reply(int status, Headers headers, byte[] body, boolean chunked) implements Step {

    private static final int CHUNK = 1000;

    static Reply of(int status) {
        return new Reply(status, Headers.empty(), new byte[0], false);
    }

    public Reply header(String name, String value) {
        return new Reply(status, headers.plus(name, value), body, chunked);
    }

    public Reply body(byte[] bytes) {
        return new Reply(status, headers, bytes, chunked);
    }

    public Reply body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The same, framed by chunks.
    public Reply inChunks() {
        return new Reply(status, headers, body, true);
    }

    @Override
    public void play(Received request, Wire wire) throws IOException {
        wire.write(bytes(request.method().equals("HEAD")));
    }

    private byte[] bytes(boolean headOnly) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
        for (Header line : headers) {
            head.append(line.name()).append(": ").append(line.value()).append("\r\n");
        }
        boolean bodiless = status == 204 || status == 304 || status < 200;
        if (!bodiless) {
            head.append(chunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + body.length + "\r\n");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(latin1(head.append("\r\n").toString()));
        if (!bodiless && !headOnly) {
            out.writeBytes(chunked ? inChunks(body) : body);
        }
        return out.toByteArray();
    }

    private static byte[] inChunks(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int from = 0; from < body.length; from += CHUNK) {
            byte[] chunk = Arrays.copyOfRange(body, from, Math.min(body.length, from + CHUNK));
            out.writeBytes(latin1(Integer.toHexString(chunk.length) + "\r\n"));
            out.writeBytes(chunk);
            out.writeBytes(latin1("\r\n"));
        }
        out.writeBytes(latin1("0\r\n\r\n"));
        return out.toByteArray();
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}

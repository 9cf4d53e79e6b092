package dev.latchkey.downstream;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Bytes and lines from a connection. Unlike a general reader it never takes the end of the stream for the end of a line:
/// a response that was cut short must not look whole. One thread at a time.
final class WireInput {

    private static final int BUFFER = 8192;
    private static final int LINE = 80;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int next;
    private int end;

    WireInput(InputStream in) {
        this.in = in;
    }

    /// Whether nothing is left over that was read already.
    boolean isEmpty() {
        return next == end;
    }

    /// Reads some bytes.
    ///
    /// @return how many, at least 1; -1 at the end of the stream
    int read(byte[] into, int offset, int length) throws IOException {
        if (isEmpty()) {
            if (length >= BUFFER) {
                return in.read(into, offset, length);
            }
            if (!fill()) {
                return -1;
            }
        }
        int taken = Math.min(length, end - next);
        System.arraycopy(buffer, next, into, offset, taken);
        next += taken;
        return taken;
    }

    /// Reads the line that begins a response.
    ///
    /// @throws EOFException when the stream ends before it
    String firstLine(int limit) throws IOException {
        if (isEmpty() && !fill()) {
            throw new EOFException("the connection was closed");
        }
        return line(limit, true);
    }

    /// Reads a line without its end, one character a byte.
    ///
    /// @param limit how many bytes it may have
    /// @param bareLineFeed whether a line may end without a carriage return (RFC 9112 §2.2)
    String line(int limit, boolean bareLineFeed) throws IOException {
        byte[] line = new byte[LINE];
        int length = 0;
        while (true) {
            if (isEmpty() && !fill()) {
                throw new MalformedResponse("cut short");
            }
            byte b = buffer[next++];
            if (b == '\n') {
                return text(line, length, bareLineFeed);
            }
            if (length >= limit) {
                throw new MalformedResponse("a line is too long");
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, length * 2);
            }
            line[length++] = b;
        }
    }

    private static String text(byte[] line, int length, boolean bareLineFeed) throws MalformedResponse {
        if (length > 0 && line[length - 1] == '\r') {
            return new String(line, 0, length - 1, StandardCharsets.ISO_8859_1);
        }
        if (!bareLineFeed) {
            throw new MalformedResponse("a line without its carriage return");
        }
        return new String(line, 0, length, StandardCharsets.ISO_8859_1);
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, 0, BUFFER);
        next = 0;
        end = Math.max(0, count);
        return count > 0;
    }
}

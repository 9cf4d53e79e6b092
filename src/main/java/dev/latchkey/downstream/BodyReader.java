package dev.latchkey.downstream;

import java.io.IOException;

/// Reads a response's body, content-encoded as it came, and insists on its end. One thread.
final class BodyReader {

    private static final int READ = 16 * 1024;
    private static final int LONGEST_CHUNK_LINE = 4 * 1024;
    private static final int LONGEST_SIZE = 15;
    private static final int TRAILERS = 64 * 1024;

    private final WireInput input;
    private final BodySink sink;

    BodyReader(WireInput input, BodySink sink) {
        this.input = input;
        this.sink = sink;
    }

    /// @throws MalformedResponse when the framing is broken, or the connection was closed before the body's end
    void read(Framing framing) throws IOException {
        switch (framing) {
            case Framing.Bodiless _ -> {
            }
            // Most responses are small: no more is taken for one than it needs.
            case Framing.Length length -> exactly(length.bytes(), new byte[(int) Math.min(READ, length.bytes())]);
            case Framing.Chunked _ -> chunks();
            case Framing.UntilClose _ -> untilClose();
        }
    }

    private void exactly(long bytes, byte[] buffer) throws IOException {
        long left = bytes;
        while (left > 0) {
            int size = input.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (size < 0) {
                throw new MalformedResponse("cut short");
            }
            sink.add(buffer, size);
            left -= size;
        }
    }

    private void untilClose() throws IOException {
        byte[] buffer = new byte[READ];
        for (int size = input.read(buffer, 0, READ); size >= 0; size = input.read(buffer, 0, READ)) {
            sink.add(buffer, size);
        }
    }

    private void chunks() throws IOException {
        byte[] buffer = new byte[READ];
        for (long size = chunkSize(); size > 0; size = chunkSize()) {
            exactly(size, buffer);
            if (!input.line(LONGEST_CHUNK_LINE, false).isEmpty()) {
                throw new MalformedResponse("a chunk longer than its size");
            }
        }
        ResponseHead.fields(input, TRAILERS);
    }

    private long chunkSize() throws IOException {
        String line = input.line(LONGEST_CHUNK_LINE, false);
        int extension = line.indexOf(';');
        String size = extension < 0 ? line : Syntax.trimmed(line.substring(0, extension));
        boolean hexadecimal = !size.isEmpty()
                && size.length() <= LONGEST_SIZE
                && size.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
        if (!hexadecimal) {
            throw new MalformedResponse("not a chunk size");
        }
        return Long.parseLong(size, 16);
    }
}

package dev.latchkey.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// The downstream's end of one connection, in the hands of the [Step] being played. One thread at a time.
public final class Wire {

    private final Socket socket;

    Wire(Socket socket) {
        this.socket = socket;
    }

    /// Writes the bytes and flushes.
    public Wire write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /// Writes text, one byte a character (ISO-8859-1).
    public Wire write(String text) throws IOException {
        return write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Closes in order (FIN).
    public void close() throws IOException {
        socket.close();
    }

    /// Closes with a reset (RST), so that the other end sees a broken connection.
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /// Reads and drops whatever comes until the other end closes or resets, which is how a hang ends.
    public void awaitPeerClose() {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // reset by the peer or closed by the downstream's own end: the wait is over either way
        }
    }
}

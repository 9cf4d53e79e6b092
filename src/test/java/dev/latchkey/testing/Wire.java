package dev.latchkey.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
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
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException e) {
            if (!socket.isClosed()) {
                throw e;
            }
        }
        socket.close();
    }

    /// Reads that many bytes, or fewer if the other end stops before. A head's reader may have taken the first of them:
    /// they are not given again.
    public byte[] read(int most) throws IOException {
        return socket.getInputStream().readNBytes(most);
    }

    /// Says that nothing more comes, and goes on reading (FIN).
    public void halfClose() throws IOException {
        socket.shutdownOutput();
    }

    /// Reads and drops whatever comes until the other end closes, which is how a hang ends; returns whether it
    /// was a reset.
    public boolean awaitPeerClose() {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return false;
        } catch (IOException _) {
            // reset by the peer, or closed by the downstream's own end
            return !socket.isClosed();
        }
    }
}

package dev.latchkey.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A batch over a socket, byte by byte if need be: lines go out in chunks whenever the test says so, and answers are read
/// one by one. One thread may send while another reads.
public final class BatchCall implements AutoCloseable {

    private static final int SILENCE_MILLIS = 60_000;

    private final ObjectMapper json = new ObjectMapper();
    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private Consumer<String> listener = _ -> {};
    private @Nullable String head;
    private int leftOfChunk;
    private boolean afterChunk;
    private boolean ended;

    private BatchCall(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /// Begins a batch to that port.
    ///
    /// @param token the client's; empty: none
    public static BatchCall to(int port, String token) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(SILENCE_MILLIS);
        BatchCall call = new BatchCall(socket);
        call.raw("POST /v1/batches HTTP/1.1\r\nHost: gateway.test\r\nContent-Type: application/x-ndjson\r\n"
                + "Transfer-Encoding: chunked\r\n"
                + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n") + "\r\n");
        return call;
    }

    /// From now on told the head of the answer, once it is read.
    public BatchCall tell(Consumer<String> who) {
        listener = who;
        return this;
    }

    /// Sends a line and its end, in a chunk of its own.
    public BatchCall line(String line) throws IOException {
        return chunk((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Sends bytes in a chunk of their own.
    public BatchCall chunk(byte[] bytes) throws IOException {
        ByteArrayOutputStream chunk = new ByteArrayOutputStream(bytes.length + 16);
        chunk.writeBytes((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        chunk.writeBytes(bytes);
        chunk.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        chunk.writeTo(out);
        out.flush();
        return this;
    }

    /// Says that no line follows.
    public BatchCall end() throws IOException {
        return raw("0\r\n\r\n");
    }

    /// Sends exactly this.
    public BatchCall raw(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        return this;
    }

    /// The head of the answer: status line and header fields.
    public String head() throws IOException {
        if (head == null) {
            StringBuilder text = new StringBuilder();
            for (String line = textLine(); !line.isEmpty(); line = textLine()) {
                text.append(line).append('\n');
            }
            head = text.toString();
            listener.accept(head);
        }
        return head;
    }

    /// The next answer; null: the last one came before, and the batch ended well.
    ///
    /// @throws IOException where the connection ended before the batch did
    public @Nullable JsonNode answer() throws IOException {
        head();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = next(); next >= 0; next = next()) {
            if (next == '\n') {
                return json.readTree(line.toByteArray());
            }
            line.write(next);
        }
        if (line.size() > 0) {
            throw new EOFException("half a line");
        }
        return null;
    }

    /// All answers that are still to come.
    public List<JsonNode> answers() throws IOException {
        List<JsonNode> answers = new ArrayList<>();
        for (JsonNode next = answer(); next != null; next = answer()) {
            answers.add(next);
        }
        return answers;
    }

    /// The next byte of the body, without the chunks around it; -1: it is whole.
    private int next() throws IOException {
        while (!ended && leftOfChunk == 0) {
            // The end of a chunk's line may come as late as the next chunk.
            if (afterChunk) {
                textLine();
            }
            leftOfChunk = Integer.parseInt(textLine(), 16);
            afterChunk = true;
            ended = leftOfChunk == 0;
            if (ended) {
                textLine();
            }
        }
        if (ended) {
            return -1;
        }
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the connection ended in the middle of the batch");
        }
        leftOfChunk--;
        return next;
    }

    private String textLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended in the middle of the batch");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /// Hangs up, whatever is under way: the other side sees a reset.
    @Override
    public void close() throws IOException {
        if (!socket.isClosed()) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}

package dev.latchkey.e2e;

import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A call written and read byte by byte, where a client library would mend or hide what matters. One call a connection.
final class RawCall implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private String method = "";
    private String path = "";

    private RawCall(Socket socket) {
        this.socket = socket;
    }

    static RawCall to(Replica replica) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), replica.port());
            socket.setSoTimeout(PATIENCE_MILLIS);
            return new RawCall(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends a keyed POST by that client and reads the answer.
    static Exchange post(Replica replica, String target, Client client, String key, byte[] body) {
        try (RawCall call = to(replica)) {
            return call.send(
                    "POST", target, "Authorization: Bearer " + client.token(), "Idempotency-Key: " + key,
                    "Content-Type: text/plain", "Content-Length: " + body.length)
                    .write(body)
                    .answer();
        }
    }

    /// Sends a head: start line, `Host` and these lines, one byte a character.
    RawCall send(String requestMethod, String target, String... lines) {
        method = requestMethod;
        int query = target.indexOf('?');
        path = query < 0 ? target : target.substring(0, query);
        StringBuilder head = new StringBuilder(requestMethod + " " + target + " HTTP/1.1\r\nHost: gateway\r\n");
        for (String line : lines) {
            head.append(line).append("\r\n");
        }
        return write(head.append("Connection: close\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    RawCall write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether something of the answer has come.
    boolean isAnswered() {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads the whole answer and records it.
    ///
    /// @throws UncheckedIOException where it ends early
    Exchange answer() {
        try {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            List<String> head = head(in);
            int status = Integer.parseInt(head.getFirst().split(" ", 3)[1]);
            Headers headers = new Headers(head.stream().skip(1).map(RawCall::header).toList());
            Exchange exchange = new Exchange(method, path, status, headers, Body.of(body(in, status, headers)));
            Answers.add(exchange);
            return exchange;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Hangs up.
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] body(InputStream in, int status, Headers headers) throws IOException {
        if (method.equals("HEAD") || status == 204 || status == 304) {
            return new byte[0];
        }
        if (headers.first("Transfer-Encoding").orElse("").equals("chunked")) {
            return chunks(in);
        }
        if (headers.has("Content-Length")) {
            return exactly(in, Integer.parseInt(headers.first("Content-Length").orElseThrow()));
        }
        return in.readAllBytes();
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int size;
        while ((size = Integer.parseInt(line(in), 16)) > 0) {
            body.writeBytes(exactly(in, size));
            line(in);
        }
        line(in);
        return body.toByteArray();
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("the answer ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private static List<String> head(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            lines.add(line);
        }
        return lines;
    }

    private static Header header(String line) {
        int colon = line.indexOf(':');
        return new Header(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b;
        while ((b = in.read()) != '\n') {
            if (b < 0) {
                throw new IOException("the answer ended in its head or framing");
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}

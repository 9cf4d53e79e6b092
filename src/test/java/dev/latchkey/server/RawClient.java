package dev.latchkey.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Sends bytes and reads bytes: what no HTTP client would let through. One request a connection.
final class RawClient {

    private final int port;

    RawClient(int port) {
        this.port = port;
    }

    /// An answer, taken apart only as far as needed. Its body is what came until the server closed, still chunked if it
    /// was.
    record Raw(int status, List<String> lines, byte[] body) {

        List<String> all(String name) {
            return lines.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .toList();
        }

        String first(String name) {
            return all(name).isEmpty() ? "" : all(name).getFirst();
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /// Sends a request of these lines, closed by an empty one, and a body, and asks for the connection to be closed.
    Raw send(String requestLine, String body, String... headers) throws IOException {
        StringBuilder head = new StringBuilder(requestLine).append("\r\nHost: gateway.test\r\nConnection: close\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        if (!body.isEmpty() && Arrays.stream(headers).noneMatch(line -> line.startsWith("Transfer-Encoding"))) {
            head.append("Content-Length: ")
                    .append(body.getBytes(StandardCharsets.ISO_8859_1).length)
                    .append("\r\n");
        }
        return sendRaw(head.append("\r\n").append(body).toString());
    }

    /// Sends exactly this, one byte for each character.
    Raw sendRaw(String text) throws IOException {
        try (Socket socket = open()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return read(socket.getInputStream());
        }
    }

    Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    static Raw read(InputStream in) throws IOException {
        byte[] all = in.readAllBytes();
        String text = new String(all, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new IOException("no complete head: " + text);
        }
        List<String> head = List.of(text.substring(0, end).split("\r\n", -1));
        return new Raw(
                Integer.parseInt(head.getFirst().split(" ", -1)[1]),
                head.subList(1, head.size()),
                Arrays.copyOfRange(all, end + 4, all.length));
    }
}

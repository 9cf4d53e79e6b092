package dev.latchkey.testing;

import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A downstream made of plain sockets: it records every request that reaches it, answers as scripted, and never
/// deduplicates anything. What it received is what happened, so tests count effects here.
///
/// Steps are scripted for a path (each test takes a path of its own, so tests share one downstream) or for whatever comes
/// next; a request without a step gets `201` with a small JSON body that counts up. Safe for any number of threads.
public final class RawDownstream implements AutoCloseable {

    private final ServerSocket listener;
    private final Thread accepting = Thread.ofVirtual().name("raw-downstream").unstarted(this::accept);
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Map<String, Deque<Step>> byPath = new ConcurrentHashMap<>();
    private final Map<String, Step> alwaysByPath = new ConcurrentHashMap<>();
    private final Deque<Step> next = new ArrayDeque<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger bytesSeen = new AtomicInteger();
    private final AtomicInteger effects = new AtomicInteger();
    private final AtomicInteger closeOnAccept = new AtomicInteger();
    private final @Nullable SSLContext tls;
    private final boolean mutual;

    private RawDownstream(ServerSocket listener, @Nullable SSLContext tls, boolean mutual) {
        this.mutual = mutual;
        this.listener = listener;
        this.tls = tls;
    }

    /// Starts on a free port of the loopback address.
    public static RawDownstream start() throws IOException {
        return start(0);
    }

    /// Starts on the given port of the loopback address, for a downstream that comes back.
    public static RawDownstream start(int port) throws IOException {
        return start(port, null, false);
    }

    /// Starts on a free port of the loopback address and speaks TLS.
    public static RawDownstream startTls(SSLContext tls) throws IOException {
        return start(0, tls, false);
    }

    /// The same, for clients that show a certificate which the context trusts.
    public static RawDownstream startMutualTls(SSLContext tls) throws IOException {
        return start(0, tls, true);
    }

    private static RawDownstream start(int port, @Nullable SSLContext tls, boolean mutual) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
        RawDownstream downstream = new RawDownstream(listener, tls, mutual);
        downstream.accepting.start();
        return downstream;
    }

    public int port() {
        return listener.getLocalPort();
    }

    public URI url() {
        return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port());
    }

    /// Plays these steps, in turn, for requests on that path (without query).
    public RawDownstream at(String path, Step... steps) {
        Deque<Step> queue = byPath.computeIfAbsent(path, _ -> new ArrayDeque<>());
        synchronized (queue) {
            queue.addAll(Arrays.asList(steps));
        }
        return this;
    }

    /// Plays this step for every request on that path that has none of its own.
    public RawDownstream always(String path, Step step) {
        alwaysByPath.put(path, step);
        return this;
    }

    /// Plays these steps, in turn, for requests on any path that has none of its own.
    public RawDownstream next(Step... steps) {
        synchronized (next) {
            next.addAll(Arrays.asList(steps));
        }
        return this;
    }

    /// Closes the next connections as soon as they are accepted.
    public RawDownstream closeNextConnections(int count) {
        closeOnAccept.addAndGet(count);
        return this;
    }

    /// Every request received, in order of arrival.
    public List<Received> received() {
        return List.copyOf(received);
    }

    public List<Received> received(Predicate<Received> which) {
        return received.stream().filter(which).toList();
    }

    /// The requests received on that path (without query): the effects of one test.
    public List<Received> receivedAt(String path) {
        return received(request -> request.path().equals(path));
    }

    /// The requests received with that downstream key.
    public List<Received> receivedWithKey(String key) {
        return received(request -> request.key().equals(key));
    }

    /// How many connections were accepted.
    public int connections() {
        return connections.get();
    }

    /// How many connections are open at this end.
    public int openConnections() {
        return open.size();
    }

    /// How many bytes arrived in all: to show that nothing was sent.
    public int bytesSeen() {
        return bytesSeen.get();
    }

    /// Closes every open connection with a reset; new ones are still accepted.
    public void resetOpenConnections() throws IOException {
        for (Socket socket : open) {
            new Wire(socket).reset();
        }
    }

    /// From here on nobody can connect: a port stays open for as long as a thread stands in `accept`, so that thread is
    /// waited for.
    @Override
    public void close() throws IOException {
        listener.close();
        try {
            accepting.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        resetOpenConnections();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                int number = connections.incrementAndGet();
                if (closeOnAccept.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    socket.close();
                } else {
                    open.add(socket);
                    Thread.ofVirtual().name("raw-downstream-" + number).start(() -> serveSecured(socket, number));
                }
            } catch (IOException _) {
                // the listener was closed, or one connection died while being accepted
            }
        }
    }

    private void serveSecured(Socket socket, int number) {
        if (tls == null) {
            serve(socket, number);
            return;
        }
        try {
            SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, port(), true);
            secured.setUseClientMode(false);
            secured.setNeedClientAuth(mutual);
            serve(secured, number);
        } catch (IOException _) {
            // the other end is gone already
        } finally {
            open.remove(socket);
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean more = true;
            while (more && !socket.isClosed()) {
                more = serveOne(socket, number, in);
            }
        } catch (IOException _) {
            // the other end broke off; what had arrived is recorded
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private boolean serveOne(Socket socket, int number, InputStream in) throws IOException, InterruptedException {
        String head = head(in);
        if (head == null) {
            return false;
        }
        List<String> lines = head.lines().toList();
        String[] start = lines.getFirst().split(" ", 3);
        Headers headers = headers(lines.subList(1, lines.size()));
        Received headOnly = new Received(number, start[0], start[1], headers, new byte[0]);
        Step step = step(headOnly.path());
        Received request =
                step.readsBody() ? new Received(number, start[0], start[1], headers, body(in, headers)) : headOnly;
        received.add(request);
        step.play(request, new Wire(socket));
        return step.readsBody();
    }

    private Step step(String path) {
        Deque<Step> queue = byPath.getOrDefault(path, new ArrayDeque<>());
        Step step;
        synchronized (queue) {
            step = queue.poll();
        }
        if (step == null) {
            step = alwaysByPath.get(path);
        }
        if (step == null) {
            synchronized (next) {
                step = next.poll();
            }
        }
        return step == null ? counted() : step;
    }

    private Step counted() {
        int effect = effects.incrementAndGet();
        return Step.json(201, "{\"effect\":" + effect + "}").header("Location", "/effects/" + effect);
    }

    private @Nullable String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        int b;
        while ((b = in.read()) >= 0) {
            bytesSeen.incrementAndGet();
            head.write(b);
            last = last << 8 | b;
            if (last == 0x0d0a0d0a) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return null;
    }

    private static Headers headers(List<String> lines) {
        List<Header> headers = new ArrayList<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.add(new Header(
                        line.substring(0, colon), line.substring(colon + 1).strip()));
            }
        }
        return new Headers(headers);
    }

    private byte[] body(InputStream in, Headers headers) throws IOException {
        byte[] body = headers.first("Transfer-Encoding").isPresent()
                ? chunks(in)
                : exactly(in, Integer.parseInt(headers.first("Content-Length").orElse("0")));
        bytesSeen.addAndGet(body.length);
        return body;
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int size;
        while ((size = Integer.parseInt(line(in).split(";", 2)[0].strip(), 16)) > 0) {
            body.writeBytes(exactly(in, size));
            line(in);
        }
        String trailer = line(in);
        while (!trailer.isEmpty()) {
            trailer = line(in);
        }
        return body.toByteArray();
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("the request ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b;
        while ((b = in.read()) != '\n') {
            if (b < 0) {
                throw new IOException("the request ended in its framing");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }
}

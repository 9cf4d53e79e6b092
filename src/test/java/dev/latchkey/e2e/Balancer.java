package dev.latchkey.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Somebody's haproxy or nginx, as a process of its own, no service. Its test is skipped where the machine has none. Not for
/// several threads.
final class Balancer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String name;
    private final Process process;
    private final int port;

    private Balancer(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /// Starts a haproxy.
    ///
    /// @param port where its configuration has it listen
    static Balancer haproxy(Path folder, String configuration, int port) {
        Tool.needed("haproxy", "Debian's haproxy");
        return start("haproxy", folder, configuration, port, List.of("haproxy", "-db", "-f"));
    }

    /// Starts an nginx.
    ///
    /// @param servers what stands in its `http` block
    /// @param port where that has it listen
    static Balancer nginx(Path folder, String servers, int port) {
        Tool.needed("nginx", "Debian's nginx");
        String configuration = """
                daemon off;
                master_process off;
                pid @/nginx-%1$d.pid;
                events { worker_connections 1000; }
                http {
                    access_log off;
                    client_body_temp_path @/body-%1$d;
                    proxy_temp_path @/proxy-%1$d;
                    fastcgi_temp_path @/fastcgi-%1$d;
                    uwsgi_temp_path @/uwsgi-%1$d;
                    scgi_temp_path @/scgi-%1$d;
                %2$s
                }
                """.formatted(port, servers).replace("@", folder.toString());
        return start("nginx", folder, configuration, port, List.of("nginx", "-e", "stderr", "-c"));
    }

    private static Balancer start(String name, Path folder, String configuration, int port, List<String> command) {
        try {
            Path file = Files.writeString(folder.resolve(name + "-" + port + ".conf"), configuration);
            Path printed = folder.resolve(name + "-" + port + ".txt");
            List<String> whole = new ArrayList<>(command);
            whole.add(file.toString());
            Process process = new ProcessBuilder(whole)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            Balancer balancer = new Balancer(name, process, port);
            await().atMost(PATIENCE).until(() -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException(name + " ended: " + Files.readString(printed));
                }
                return balancer.listens();
            });
            return balancer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean listens() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// A free port of the loopback address.
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Where callers call.
    URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

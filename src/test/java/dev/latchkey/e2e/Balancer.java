package dev.latchkey.e2e;

import dev.latchkey.testing.Neighbour;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// Somebody's haproxy or nginx, as a process of its own, no service. Its test is skipped where the machine has none. Not for
/// several threads.
final class Balancer implements AutoCloseable {

    private final String name;
    private final Neighbour process;

    private Balancer(String name, Neighbour process) {
        this.name = name;
        this.process = process;
    }

    /// Starts a haproxy.
    ///
    /// @param port where its configuration has it listen
    static Balancer haproxy(Path folder, String configuration, int port) {
        Tool.needed("haproxy", "Debian's haproxy");
        return new Balancer(
                "haproxy",
                Neighbour.start(folder, "haproxy", configuration, port, List.of("haproxy", "-db", "-f")));
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
        return new Balancer(
                "nginx",
                Neighbour.start(folder, "nginx", configuration, port, List.of("nginx", "-e", "stderr", "-c")));
    }

    /// Where callers call.
    URI url() {
        return URI.create("http://127.0.0.1:" + process.port());
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public String toString() {
        return name;
    }
}

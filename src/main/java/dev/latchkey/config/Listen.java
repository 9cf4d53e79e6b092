package dev.latchkey.config;

import java.net.InetAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where a port listens.
///
/// @param host an IP address or a name
/// @param port 0 for any free port
/// @param tls null: plain HTTP
public record Listen(String host, int port, @Nullable TlsSettings tls) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    public Listen {
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        new Checks()
                .that(
                        isLiteral(host) || NAME.matcher(host).matches(),
                        "host",
                        Quoted.of(host) + " is neither an IP address nor a host name; write 127.0.0.1, or 0.0.0.0 for"
                                + " every interface")
                .between(port, 0, 65_535, "port")
                .done();
    }

    public Listen(String host, int port) {
        this(host, port, null);
    }

    /// `listen` as it is where the file says nothing.
    public static Listen callsByDefault() {
        return new Listen("127.0.0.1", 8080);
    }

    /// `management` as it is where the file says nothing.
    public static Listen managementByDefault() {
        return new Listen("127.0.0.1", 9090);
    }

    /// Whether only this machine can connect. Asks no name server: of the names, only `localhost` counts.
    public boolean isLoopback() {
        return isLiteral(host)
                ? InetAddress.ofLiteral(host).isLoopbackAddress()
                : host.equalsIgnoreCase("localhost");
    }

    /// Whether both could not listen at once.
    boolean clashesWith(Listen other) {
        return port != 0
                && port == other.port
                && (host.equalsIgnoreCase(other.host) || isEveryInterface() || other.isEveryInterface());
    }

    private boolean isEveryInterface() {
        return isLiteral(host) && InetAddress.ofLiteral(host).isAnyLocalAddress();
    }

    private static boolean isLiteral(String host) {
        try {
            return InetAddress.ofLiteral(host) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}

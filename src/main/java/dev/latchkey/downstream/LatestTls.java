package dev.latchkey.downstream;

import java.security.NoSuchAlgorithmException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/// TLS as the settings have it at each handshake: made anew when what they name has changed. While that does not fit together
/// the last that did stays. Safe for any number of threads.
public final class LatestTls implements Supplier<SSLContext> {

    private final Supplier<TlsParts> parts;
    private volatile Made made;

    private record Made(TlsParts parts, SSLContext context) {}

    /// @param parts throws [IllegalArgumentException] while they do not fit together
    /// @throws IllegalArgumentException when they do not at first
    public LatestTls(Supplier<TlsParts> parts) {
        this.parts = parts;
        this.made = made(parts.get());
    }

    private static Made made(TlsParts parts) {
        return new Made(parts, parts.context());
    }

    /// Shows nothing and trusts what the Java runtime trusts.
    public static Supplier<SSLContext> usual() {
        try {
            SSLContext usual = SSLContext.getDefault();
            return () -> usual;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    @Override
    public SSLContext get() {
        Made last = made;
        try {
            TlsParts now = parts.get();
            if (!now.equals(last.parts())) {
                last = made(now);
                made = last;
            }
        } catch (IllegalArgumentException _) {
            // files that are being replaced
        }
        return last.context();
    }
}

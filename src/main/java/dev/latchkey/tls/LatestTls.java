package dev.latchkey.tls;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/// TLS of texts that may change while the program runs: made anew when they have. While new ones are unfit the last that
/// fitted stays. Safe for any number of threads.
public final class LatestTls implements Supplier<SSLContext> {

    private final Supplier<List<String>> texts;
    private final Supplier<SSLContext> made;
    private List<String> seen;
    private volatile SSLContext last;

    /// @param texts what it is made of, as it is now
    /// @param made makes it; throws [IllegalArgumentException] where what it is made of is unfit
    /// @throws IllegalArgumentException when it is at first
    public LatestTls(Supplier<List<String>> texts, Supplier<SSLContext> made) {
        this.texts = texts;
        this.made = made;
        this.seen = texts.get();
        this.last = made.get();
    }

    /// Shows nothing and trusts what the Java runtime trusts, which is read when it is first asked for: that takes a while.
    public static Supplier<SSLContext> usual() {
        return LatestTls::ofJava;
    }

    private static SSLContext ofJava() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    /// Looks at the texts, and makes it anew where they have changed.
    ///
    /// @return whether it was
    /// @throws IllegalArgumentException once for texts that are unfit, saying why
    public synchronized boolean renew() {
        List<String> now = texts.get();
        if (now.equals(seen)) {
            return false;
        }
        seen = now;
        last = made.get();
        return true;
    }

    /// The last that fitted, without a look.
    public SSLContext last() {
        return last;
    }

    /// As the texts are now.
    @Override
    public SSLContext get() {
        try {
            renew();
        } catch (IllegalArgumentException _) {
            // files that are being replaced
        }
        return last;
    }
}

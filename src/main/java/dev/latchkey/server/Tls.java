package dev.latchkey.server;

import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/// How a port speaks TLS.
///
/// @param texts what it is made of, as it is now
/// @param context makes it; throws `IllegalArgumentException` where what it is made of is unfit
/// @param clients whether callers are asked for a certificate
public record Tls(Supplier<List<String>> texts, Supplier<SSLContext> context, Clients clients) {

    /// Whether callers are asked for a certificate that chains to those the context trusts.
    public enum Clients {
        NONE, WANTED, REQUIRED
    }
}

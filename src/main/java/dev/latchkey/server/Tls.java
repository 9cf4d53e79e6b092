package dev.latchkey.server;

import dev.latchkey.tls.LatestTls;

/// How a port speaks TLS.
///
/// @param latest what it shows and trusts
/// @param clients whether callers are asked for a certificate
public record Tls(LatestTls latest, Clients clients) {

    /// Whether callers are asked for a certificate that chains to those the context trusts.
    public enum Clients {
        NONE, WANTED, REQUIRED
    }
}

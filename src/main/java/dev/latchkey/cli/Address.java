package dev.latchkey.cli;

import dev.latchkey.config.Listen;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/// Where a client reaches a gateway.
final class Address {

    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "::");

    private Address() {}

    /// Empty: this is no address of a server.
    static Optional<URI> parse(String text) {
        try {
            URI address = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean server = Set.of("http", "https").contains(String.valueOf(address.getScheme()))
                    && address.getHost() != null && address.getRawQuery() == null && address.getRawUserInfo() == null;
            return server ? Optional.of(address) : Optional.empty();
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /// Empty: the settings leave the port to the system.
    static Optional<URI> of(Listen at) {
        Listen reached = EVERYWHERE.contains(at.host()) ? new Listen("127.0.0.1", at.port(), at.tls()) : at;
        return at.port() == 0 ? Optional.empty() : parse(Ready.url(reached, at.port()));
    }
}

package dev.latchkey.config;

import dev.latchkey.issuer.Issuer;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `jwt`: clients whose name an issuer vouches for.
///
/// @param issuer `iss` of its tokens
/// @param audience one of these must be among a token's `aud`
/// @param keys where the issuer's keys are
/// @param claim whose value is the client's name
/// @param algorithms of the signatures that are taken
/// @param leeway by which the issuer's clock may differ
/// @param listedOnly whether only clients of the list may come by it
public record JwtSettings(
        String issuer, Set<String> audience, KeyPlace keys, String claim, Set<String> algorithms, Duration leeway,
        boolean listedOnly) {

    public static final String CLAIM = "sub";
    public static final Duration LEEWAY = Duration.ofSeconds(30);

    /// Where an issuer's keys are.
    public sealed interface KeyPlace {
        /// The issuer publishes them.
        record Published(URI url) implements KeyPlace {}

        /// A file has them; read again when it changes.
        record InFile(SecretText text) implements KeyPlace {}
    }

    public JwtSettings {
        audience = Set.copyOf(audience);
        algorithms = Set.copyOf(algorithms);
        Checks checks = new Checks()
                .that(!issuer.isBlank(), "issuer", "this is empty; write the iss of the issuer's tokens, to the letter")
                .that(
                        !audience.isEmpty() && audience.stream().noneMatch(String::isBlank),
                        "audience",
                        "no audience is named; write the aud that the issuer puts into tokens for this gateway, or any"
                                + " other service's tokens would be good here")
                .that(!claim.isBlank(), "claim", "this is empty; write sub, or the claim that names the client")
                .that(!algorithms.isEmpty(), "algorithms", "an empty list takes no token; remove the line")
                .that(
                        leeway.compareTo(Duration.ofMinutes(10)) <= 0,
                        "leeway",
                        DurationText.format(leeway) + " is too long; write at most 10m");
        algorithms.stream().sorted().forEach(name -> checks.that(
                Issuer.ALGORITHMS.contains(name),
                "algorithms",
                Quoted.of(name) + " is not taken; write some of: "
                        + String.join(", ", Issuer.ALGORITHMS.stream().sorted().toList())));
        if (keys instanceof KeyPlace.Published(URI url)) {
            checks.add("jwks-url", complaint(url));
        }
        checks.done();
    }

    private static @Nullable String complaint(URI url) {
        String host = url.getHost() == null ? "" : url.getHost();
        boolean near = new Listen(host.isEmpty() ? "x" : host, 0).isLoopback();
        boolean fine = "https".equals(url.getScheme()) || ("http".equals(url.getScheme()) && near);
        return fine && !host.isEmpty() && url.getRawUserInfo() == null && url.getRawFragment() == null
                ? null
                : "whoever changes these keys on their way is any client; write https://HOST/PATH (http only to this"
                        + " machine), without a user";
    }
}

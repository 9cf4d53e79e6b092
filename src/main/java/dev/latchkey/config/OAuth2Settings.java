package dev.latchkey.config;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// `routes[].downstream.oauth2`: a token for each forward, by client credentials.
///
/// @param tokenUrl where tokens are had
/// @param clientId this gateway's name there
/// @param clientSecret what proves it
/// @param clientAuth how it is proved
/// @param scope null: what the server gives by itself
/// @param audience null: none is named
/// @param timeout how long a forward waits for its token
/// @param reach how the token URL is reached
public record OAuth2Settings(
        URI tokenUrl, String clientId, SecretText clientSecret, ClientAuth clientAuth, @Nullable String scope,
        @Nullable String audience, Duration timeout, Reach reach) {

    public static final Duration TIMEOUT = Duration.ofSeconds(3);

    /// How id and secret are sent.
    public enum ClientAuth {
        /// By HTTP Basic authentication.
        BASIC,
        /// In the body.
        POST
    }

    public OAuth2Settings {
        new Checks()
                .add("token-url", BaseUrl.check(tokenUrl))
                .that(!clientId.isBlank(), "client-id", "this is empty; write the id that the token server gave")
                .that(!clientSecret.get().isEmpty(), "client-secret", "this is empty; write the secret")
                .positive(timeout, "timeout")
                .add("tls", reach.problemWith(tokenUrl))
                .done();
    }

    static @Nullable OAuth2Settings read(Section section) {
        URI url = section.required(
                "token-url", URI.create("https://localhost"), BaseUrl::parse, "write where tokens are had");
        String id = section.required("client-id", "none", text -> text, "write the id that the token server gave");
        SecretText secret = section.secret("client-secret");
        if (!section.has("client-secret")) {
            section.problem("client-secret", "this is missing; write \"${file:PATH}\" or \"${NAME}\"");
        }
        ClientAuth auth = section.choice("client-auth", ClientAuth.BASIC);
        String scope = section.textOrNull("scope");
        String audience = section.textOrNull("audience");
        Duration timeout = section.read("timeout", TIMEOUT, Values::duration);
        Reach reach = Reach.read(section);
        return section.<@Nullable OAuth2Settings>checked(
                () -> secret == null
                        ? null
                        : new OAuth2Settings(url, id, secret, auth, scope, audience, timeout, reach),
                () -> null);
    }
}

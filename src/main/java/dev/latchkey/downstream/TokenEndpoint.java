package dev.latchkey.downstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Downstream;
import dev.latchkey.gateway.Forward;
import dev.latchkey.gateway.SendWindow;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks for access tokens by client credentials (RFC 6749 §4.4). What goes wrong is told in a few words, without anything that
/// the server said. Safe for any number of threads.
final class TokenEndpoint implements Tokens.Source {

    private static final ObjectMapper JSON = new ObjectMapper();
    /// Where the server does not say.
    private static final Duration USUAL_LIFETIME = Duration.ofMinutes(5);
    private static final long LONGEST_SECONDS = Duration.ofDays(1).toSeconds();

    private final Downstream server;
    private final Grant grant;
    private final Clocks clocks;

    TokenEndpoint(Downstream server, Grant grant, Clocks clocks) {
        this.server = server;
        this.grant = grant;
        this.clocks = clocks;
    }

    @Override
    public Token ask() throws NothingSent {
        long since = clocks.nanos();
        Forward request = new Forward("POST", "", null, new Headers(headers()), Body.ofUtf8(form()), false);
        Outcome outcome = server.send(
                request, SendWindow.from(clocks, grant.timeout()), grant.timeout(), new Downstream.Unread());
        return switch (outcome) {
            case Outcome.Answered answered when answered.status() == 200 -> token(answered.body(), since);
            case Outcome.Answered answered ->
                    throw new NothingSent("no token: the token server answered " + answered.status());
            case Outcome.NotSent none -> throw new NothingSent("no token: " + none.reason() + " (token server)");
            case Outcome.Unknown _ -> throw new NothingSent("no token: the token server did not answer");
        };
    }

    private List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        headers.add(new Header("Content-Type", "application/x-www-form-urlencoded"));
        headers.add(new Header("Accept", "application/json"));
        if (!grant.inBody()) {
            String pair = encoded(grant.id()) + ":" + encoded(grant.secret().get());
            headers.add(new Header("Authorization", "Basic "
                    + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII))));
        }
        return headers;
    }

    private String form() {
        StringBuilder form = new StringBuilder("grant_type=client_credentials");
        add(form, "scope", grant.scope());
        add(form, "audience", grant.audience());
        if (grant.inBody()) {
            add(form, "client_id", grant.id());
            add(form, "client_secret", grant.secret().get());
        }
        return form.toString();
    }

    private static void add(StringBuilder form, String name, @Nullable String value) {
        if (value != null) {
            form.append('&').append(name).append('=').append(encoded(value));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Token token(@Nullable Body body, long since) throws NothingSent {
        JsonNode answer = json(body);
        String value = answer.path("access_token").asText();
        boolean bearer = answer.path("token_type").asText().equalsIgnoreCase("bearer");
        if (!bearer || value.isEmpty() || !value.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new NothingSent("no token: there is no bearer token in what the token server answered");
        }
        JsonNode said = answer.path("expires_in");
        long seconds = said.isTextual() ? said.asLong(0) : said.longValue();
        Duration lifetime = said.isMissingNode() || said.isNull()
                ? USUAL_LIFETIME
                : Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST_SECONDS));
        return new Token(value, since, lifetime);
    }

    /// Missing where it is none.
    private static JsonNode json(@Nullable Body body) {
        try {
            return body == null ? JSON.missingNode() : JSON.readTree(body.bytes());
        } catch (IOException _) {
            return JSON.missingNode();
        }
    }
}

package dev.latchkey;

import dev.latchkey.config.ClientSettings;
import dev.latchkey.config.JwtSettings;
import dev.latchkey.config.Settings;
import dev.latchkey.downstream.StrictClient;
import dev.latchkey.downstream.Watchdog;
import dev.latchkey.gateway.Caller;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Downstream;
import dev.latchkey.gateway.Forward;
import dev.latchkey.gateway.SendWindow;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.issuer.FetchedKeys;
import dev.latchkey.issuer.Issuer;
import dev.latchkey.issuer.Keys;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.server.Clients;
import dev.latchkey.server.JwtClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who may call and who may settle, as the settings say it.
final class Callers {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration FETCH = Duration.ofSeconds(10);
    private static final int LARGEST_KEY_SET = 1 << 20;

    private final Settings settings;
    private final @Nullable Issuer issuer;
    private final @Nullable StrictClient published;

    Callers(Settings settings, Watchdog watchdog, Clocks clocks) {
        this.settings = settings;
        JwtSettings jwt = settings.jwt();
        URI url = jwt != null && jwt.keys() instanceof JwtSettings.KeyPlace.Published at ? at.url() : null;
        this.published = url == null ? null : client(url, watchdog, clocks);
        this.issuer = jwt == null
                ? null
                : new Issuer(
                        new Issuer.Terms(jwt.issuer(), jwt.audience(), jwt.claim(), jwt.algorithms(), jwt.leeway()),
                        keys(jwt, published, clocks), clocks);
    }

    private static StrictClient client(URI url, Watchdog watchdog, Clocks clocks) {
        URI base = URI.create(url.getScheme() + "://" + url.getRawAuthority());
        return new StrictClient(
                new StrictClient.Settings(base, CONNECT, 1, LARGEST_KEY_SET, false), watchdog, clocks);
    }

    private static Keys keys(JwtSettings jwt, @Nullable StrictClient published, Clocks clocks) {
        return switch (jwt.keys()) {
            case JwtSettings.KeyPlace.InFile(var text) -> Keys.of(text::get);
            case JwtSettings.KeyPlace.Published(URI url) -> FetchedKeys.start(
                    () -> fetch(url, Objects.requireNonNull(published), clocks), clocks,
                    Thread::startVirtualThread);
        };
    }

    private static String fetch(URI url, Downstream issuer, Clocks clocks) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        Forward get = new Forward(
                "GET", path, url.getRawQuery(), Headers.of("Accept", "application/json"), Body.empty(), false);
        Outcome outcome = issuer.send(get, SendWindow.from(clocks, FETCH), FETCH, new Downstream.Unread());
        if (outcome instanceof Outcome.Answered answered && answered.status() == 200) {
            Body body = answered.body();
            if (body != null) {
                return new String(body.bytes(), StandardCharsets.UTF_8);
            }
        }
        String what = switch (outcome) {
            case Outcome.Answered answered -> "it answered " + answered.status();
            case Outcome.NotSent none -> none.reason();
            case Outcome.Unknown unknown -> unknown.cause().name();
        };
        throw new UncheckedIOException(what, new IOException(what));
    }

    /// The client that fetches keys; null: none.
    @Nullable
    AutoCloseable part() {
        return published;
    }

    Clients clients() {
        return switch (settings.clients()) {
            case dev.latchkey.config.Clients.Open _ -> Clients.open();
            case dev.latchkey.config.Clients.Listed(List<ClientSettings> listed, boolean others) ->
                    with(listed, others);
        };
    }

    /// Of them nobody comes by a JWT who is not listed.
    Clients operators() {
        return with(settings.operators(), false);
    }

    private Clients with(List<ClientSettings> listed, boolean others) {
        Clients known = Clients.of(listed.stream()
                .map(client -> new Clients.Known(caller(client), new HashSet<>(client.tokensSha256())))
                .toList());
        Issuer by = issuer;
        return by == null ? known : known.and(jwt(by, listed, others));
    }

    private static JwtClients jwt(Issuer issuer, List<ClientSettings> listed, boolean others) {
        Map<String, Caller> byName = new HashMap<>();
        Set<String> reserved = new HashSet<>();
        for (ClientSettings client : listed) {
            reserved.add(client.name());
            reserved.addAll(client.formerly());
            if (client.jwt()) {
                byName.put(client.name(), caller(client));
            }
        }
        return new JwtClients(issuer, byName, reserved, others, ClientSettings::isName);
    }

    private static Caller caller(ClientSettings client) {
        Set<String> routes = client.routes();
        return new Caller(client.name(), client.oldestName(), routes == null ? Set.of() : routes);
    }
}

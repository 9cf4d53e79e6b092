package dev.latchkey.torture;

import dev.latchkey.config.ClientSettings;
import dev.latchkey.config.Clients;
import dev.latchkey.config.DownstreamKeySettings;
import dev.latchkey.config.DownstreamSettings;
import dev.latchkey.config.InDoubt;
import dev.latchkey.config.RouteSettings;
import dev.latchkey.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds in a gateway's settings what may be tortured: before the first call, so that no real service is ever called.
public final class Aim {

    private static final String PAYMENTS = "/payments";
    private static final String NOTIFICATIONS = "/notifications";
    private static final String SANDBOX_KEY = "Idempotency-Key";

    /// What is kept must be kept until the audit, and that may take a while after the load.
    private static final Duration AUDIT = Duration.ofMinutes(15);

    private final Settings settings;
    private final List<URI> gateways;
    private final Caller caller;
    private final Duration time;

    /// @param gateways where the gateways of these settings are
    /// @param caller with no token: it asks downstreams
    /// @param time how long the load is to last
    public Aim(Settings settings, List<URI> gateways, Caller caller, Duration time) {
        this.settings = settings;
        this.gateways = List.copyOf(gateways);
        this.caller = caller;
        this.time = time;
    }

    /// The client that a token shows.
    ///
    /// @param token null: there is none
    /// @return null: every caller is the same one, and no token is needed
    /// @throws Unfit when one is needed and this is no client's
    public static @Nullable ClientSettings client(Settings settings, @Nullable String token) throws Unfit {
        if (!(settings.clients() instanceof Clients.Listed(List<ClientSettings> clients, boolean _))) {
            return null;
        }
        if (token == null || token.isBlank()) {
            throw new Unfit("The settings list clients: give the token of one of them.");
        }
        String digest = digest(token);
        return clients.stream().filter(client -> client.tokensSha256().contains(digest)).findFirst()
                .orElseThrow(() -> new Unfit("The token is not that of any client in the settings: its SHA-256 is not"
                        + " among them."));
    }

    /// Chooses a route.
    ///
    /// @param client null: open
    /// @param route null: the first one that fits
    /// @throws Unfit when it does not, or none does
    public Target at(@Nullable ClientSettings client, @Nullable String route) throws Unfit, InterruptedException {
        List<RouteSettings> asked = settings.routes().stream()
                .filter(each -> route == null || each.name().equals(route)).toList();
        if (asked.isEmpty()) {
            throw new Unfit(route == null
                    ? "The settings have no route."
                    : "There is no route " + route + " in the settings; there are: "
                            + String.join(", ", settings.routes().stream().map(RouteSettings::name).toList()) + ".");
        }
        List<String> why = new ArrayList<>();
        for (RouteSettings each : asked) {
            try {
                return target(client, each);
            } catch (Unfit e) {
                why.add(String.valueOf(e.getMessage()));
            }
        }
        throw new Unfit(String.join(System.lineSeparator(), why));
    }

    private Target target(@Nullable ClientSettings client, RouteSettings route) throws Unfit, InterruptedException {
        DownstreamSettings downstream = route.downstream();
        require(client == null || client.mayUse(route.name()), route, "the client may not use it");
        URI sandbox = sandbox(route);
        String below = below(route);
        boolean keyed = downstream.key().value() != DownstreamKeySettings.Value.NONE
                && downstream.key().header().equalsIgnoreCase(SANDBOX_KEY);
        boolean again = downstream.deduplicates() != null || route.inDoubt() == InDoubt.RESEND;
        require(!again || (keyed && isPayments(route, below)), route,
                "it forwards a key in doubt again (deduplicates, or in-doubt: resend), and there its sandbox does not"
                        + " deduplicate: two effects would prove nothing");
        Duration kept = time.plus(settings.lease(route)).plus(AUDIT);
        require(isKept(route.retention().rejection(), kept) && isKept(route.retention().entry(), kept), route,
                "its retention lets keys go before the audit; keep rejections and entries for " + kept.toMinutes()
                        + "m at least, or torture it for less long");
        require(route.fingerprint().headers().stream().noneMatch("Sandbox-Fault"::equalsIgnoreCase), route,
                "its fingerprint takes Sandbox-Fault in, so that each fault would make another request");
        boolean changes = route.fingerprint().ignore().stream().noneMatch(List.of("", "/amount")::contains);
        return new Target(
                gateways, route.name(), route.prefix() + below, sandbox, client == null
                        ? Clients.Open.NAME
                        : client.oldestName(),
                counting(downstream.key().value(), keyed), downstream.timeout(), settings.lease(route), changes);
    }

    private static Target.Counting counting(DownstreamKeySettings.Value value, boolean keyed) {
        if (!keyed) {
            return Target.Counting.BODY;
        }
        return value == DownstreamKeySettings.Value.DERIVED
                ? Target.Counting.DERIVED_KEY
                : Target.Counting.CALLERS_KEY;
    }

    private static boolean isPayments(RouteSettings route, String below) {
        return (route.downstream().url().getRawPath() + below).equals(PAYMENTS);
    }

    /// What follows the prefix, so that the sandbox is called where it acts: where it can be chosen, where nothing hides a
    /// second forward.
    private static String below(RouteSettings route) throws Unfit {
        boolean again = route.downstream().deduplicates() != null || route.inDoubt() == InDoubt.RESEND;
        String path = route.downstream().url().getRawPath();
        boolean known = List.of("", PAYMENTS, NOTIFICATIONS).contains(path);
        require(known, route, "its downstream's path is none where a sandbox acts: " + PAYMENTS + " or "
                + NOTIFICATIONS);
        return !path.isEmpty() ? "" : again ? PAYMENTS : NOTIFICATIONS;
    }

    private URI sandbox(RouteSettings route) throws Unfit, InterruptedException {
        URI url = route.downstream().url();
        URI root = URI.create(url.getScheme().toLowerCase(Locale.ROOT) + "://" + url.getRawAuthority());
        boolean found;
        try {
            found = Effects.areIn(caller.get(root, "/effects"));
        } catch (IOException e) {
            found = false;
        }
        require(found, route, "its downstream does not answer as a sandbox (latchkey sandbox) does, with GET /effects;"
                + " nothing else is ever called");
        return root;
    }

    private static boolean isKept(@Nullable Duration retention, Duration needed) {
        return retention == null || retention.compareTo(needed) >= 0;
    }

    private static void require(boolean holds, RouteSettings route, String otherwise) throws Unfit {
        if (!holds) {
            throw new Unfit("The route " + route.name() + " cannot be tortured: " + otherwise + ".");
        }
    }

    private static String digest(String token) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

package dev.latchkey;

import dev.latchkey.cli.Version;
import dev.latchkey.config.ClaimSettings;
import dev.latchkey.config.Corrections;
import dev.latchkey.config.DownstreamKeySettings;
import dev.latchkey.config.InDoubt;
import dev.latchkey.config.Listen;
import dev.latchkey.config.LookupResponse;
import dev.latchkey.config.LookupRule;
import dev.latchkey.config.LookupSettings;
import dev.latchkey.config.OtlpSettings;
import dev.latchkey.config.RouteSettings;
import dev.latchkey.config.Settings;
import dev.latchkey.config.TlsSettings;
import dev.latchkey.downstream.Watchdog;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Door;
import dev.latchkey.gateway.HeldClaims;
import dev.latchkey.gateway.KeyRule;
import dev.latchkey.gateway.KeySending;
import dev.latchkey.gateway.Lookup;
import dev.latchkey.gateway.RoutePlan;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.JsonPointer;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.server.Tls;
import dev.latchkey.telemetry.Collector;
import dev.latchkey.tls.LatestTls;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Makes routes of settings.
final class Plans {

    private Plans() {}

    /// The route as the gateway carries it out.
    static RoutePlan plan(RouteSettings route, Settings settings, Watchdog watchdog, Clocks clocks) {
        Set<String> replayed = route.replayHeaders().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        return new RoutePlan(
                policy(route, settings), Downstreams.of(route, settings, watchdog, clocks), keySending(route),
                ownHeaders(route),
                replayed, fingerprint(route));
    }

    /// The route as callers see it.
    static Door door(RouteSettings route, RoutePlan plan) {
        KeyRule rule = switch (route.key()) {
            case dev.latchkey.config.KeyRule.Required required -> new KeyRule.Required();
            case dev.latchkey.config.KeyRule.Optional optional -> new KeyRule.Optional();
            case dev.latchkey.config.KeyRule.Derived derived ->
                    new KeyRule.Derived(derived.template());
        };
        return new Door(plan.policy(), route.prefix(), rule);
    }

    /// How a port speaks TLS; null: it does not.
    static @Nullable Tls tls(Listen at) {
        TlsSettings tls = at.tls();
        return tls == null ? null : new Tls(new LatestTls(tls::texts, tls::context), switch (tls.clientCertificates()) {
            case NONE -> Tls.Clients.NONE;
            case WANTED -> Tls.Clients.WANTED;
            case REQUIRED -> Tls.Clients.REQUIRED;
        });
    }

    private static Route policy(RouteSettings route, Settings settings) {
        DownstreamKeySettings key = route.downstream().key();
        SentAs sentAs = SentAs.of(
                route.downstream().url().toString(), word(key.value()), key.header(), word(key.form()));
        Statuses statuses = new Statuses(
                route.outcomes().released(), route.outcomes().recorded(), route.outcomes().inDoubt());
        return new Route(
                route.name(), route.downstream().timeout(), settings.ledger().leaseMargin(),
                route.downstream().deduplicates(), route.inDoubt() == InDoubt.RESEND, route.lookup() != null,
                route.corrections() == Corrections.ALLOW, sentAs, statuses, retention(route.retention()));
    }

    /// What the settings say of claims that callers hold themselves.
    static HeldClaims.Terms heldClaims(Settings settings) {
        ClaimSettings claims = settings.claims();
        return new HeldClaims.Terms(
                claims.lease(), claims.longestLease(), settings.waiting().max(), retention(claims.retention()));
    }

    private static Retention retention(dev.latchkey.config.Retention kept) {
        return new Retention(kept.response(), kept.entry(), kept.rejection());
    }

    /// Where spans go; null: nowhere.
    static @Nullable Collector collector(Settings settings) {
        OtlpSettings otlp = settings.telemetry().otlp();
        Map<String, URI> downstreams =
                settings.routes().stream().collect(Collectors.toMap(RouteSettings::name, r -> r.downstream().url()));
        return otlp == null
                ? null
                : new Collector(
                        otlp.traces(), otlp::currentHeaders, settings.telemetry().sampling(), Version.text(),
                        downstreams);
    }

    /// How the route's downstream is asked what became of a key; null: it cannot be asked.
    static @Nullable Lookup lookup(RouteSettings route) {
        LookupSettings lookup = route.lookup();
        if (lookup == null) {
            return null;
        }
        LookupResponse response = lookup.response();
        return new Lookup(
                lookup.path(), rule(lookup.executed()),
                response == null ? null : new Lookup.Shape(response.status(), pointer(response.body())),
                rule(lookup.notExecuted()), lookup.after());
    }

    private static Lookup.@Nullable Rule rule(@Nullable LookupRule rule) {
        return rule == null
                ? null
                : new Lookup.Rule(rule.status(), pointer(rule.where()), pointer(rule.unless()));
    }

    private static com.fasterxml.jackson.core.@Nullable JsonPointer pointer(@Nullable String text) {
        return text == null ? null : com.fasterxml.jackson.core.JsonPointer.compile(text);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static KeySending keySending(RouteSettings route) {
        DownstreamKeySettings key = route.downstream().key();
        KeySending.Value value = switch (key.value()) {
            case DERIVED -> KeySending.Value.DERIVED;
            case AS_SENT -> KeySending.Value.AS_SENT;
            case NONE -> KeySending.Value.NONE;
        };
        return new KeySending(value, key.header(), key.form() == DownstreamKeySettings.Form.QUOTED);
    }

    private static Supplier<Headers> ownHeaders(RouteSettings route) {
        return () -> new Headers(route.downstream().headers().stream()
                .map(header -> new Header(header.name(), header.value().get()))
                .toList());
    }

    private static FingerprintPolicy fingerprint(RouteSettings route) {
        List<JsonPointer> ignore = route.fingerprint().ignore().stream().map(JsonPointer::parse).toList();
        return new FingerprintPolicy(ignore, route.fingerprint().headers());
    }

    /// The longest time for which a downstream remembers a key, and at least a day: so long freed rows keep their
    /// correction number.
    static Duration keepFreed(List<RoutePlan> plans) {
        Duration longest = Duration.ofDays(1);
        for (RoutePlan plan : plans) {
            Duration window = plan.policy().deduplicates();
            if (window != null && window.compareTo(longest) > 0) {
                longest = window;
            }
        }
        return longest;
    }
}

package dev.latchkey.config;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `routes[]`: a path prefix, its downstream and its policy.
///
/// @param name what people and metrics call it
/// @param prefix whole segments, as callers send them
/// @param key what a call without a key meets
/// @param downstream where its forwards go
/// @param inDoubt what a key in doubt meets
/// @param fingerprint what counts
/// @param outcomes statuses read otherwise than the contract does
/// @param corrections always refused where the downstream is sent the caller's own key
/// @param replayHeaders fields replayed besides the contract's
/// @param lookup how to ask what became of a key; null: it cannot be asked
/// @param retention how long what is recorded is kept
public record RouteSettings(
        String name,
        String prefix,
        KeyRule key,
        DownstreamSettings downstream,
        InDoubt inDoubt,
        FingerprintSettings fingerprint,
        OutcomeSettings outcomes,
        Corrections corrections,
        List<String> replayHeaders,
        @Nullable LookupSettings lookup,
        Retention retention) {

    /// Contract §7.
    private static final Set<String> NEVER_REPLAYED = Set.of(
            "age",
            "authentication-info",
            "connection",
            "content-length",
            "date",
            "idempotency-expires",
            "idempotency-key",
            "idempotency-recorded-at",
            "idempotency-settled-by",
            "idempotency-state",
            "idempotent-replayed",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-connection",
            "retry-after",
            "server-timing",
            "set-cookie",
            "te",
            "traceparent",
            "tracestate",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "via",
            "www-authenticate");

    public RouteSettings {
        replayHeaders = List.copyOf(replayHeaders);
        Checks checks = new Checks()
                .add("name", Spelling.name(name))
                .add("prefix", Prefix.check(prefix))
                .that(
                        corrections == Corrections.REFUSE || !sendsCallersKey(downstream),
                        "corrections",
                        "a correction needs another downstream key, and this route sends the caller's own (as-sent);"
                                + " write refuse")
                .that(
                        lookup == null || downstream.key().value() != DownstreamKeySettings.Value.NONE,
                        "lookup",
                        "the downstream is sent no key (downstream.key.value is none), so it cannot be asked about one;"
                                + " remove this, or write derived there");
        for (int i = 0; i < replayHeaders.size(); i++) {
            String field = replayHeaders.get(i);
            checks.add("replay-headers[" + i + "]", Spelling.fieldName(field))
                    .that(
                            !NEVER_REPLAYED.contains(field.toLowerCase(Locale.ROOT)),
                            "replay-headers[" + i + "]",
                            field + " is never replayed: it tells of one answer, one connection or one caller; remove it");
        }
        checks.done();
    }

    /// Every default.
    public static RouteSettings to(URI url, String name, String prefix) {
        return new RouteSettings(
                name,
                prefix,
                new KeyRule.Required(),
                DownstreamSettings.at(url),
                InDoubt.HOLD,
                FingerprintSettings.defaults(),
                OutcomeSettings.defaults(),
                Corrections.ALLOW,
                List.of(),
                null,
                Retention.defaults());
    }

    /// Whether two clients' keys could meet at the downstream.
    boolean sendsCallersKey() {
        return sendsCallersKey(downstream);
    }

    private static boolean sendsCallersKey(DownstreamSettings downstream) {
        return downstream.key().value() == DownstreamKeySettings.Value.AS_SENT;
    }
}

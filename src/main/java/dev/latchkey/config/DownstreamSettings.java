package dev.latchkey.config;

import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `routes[].downstream`.
///
/// @param url the base URL; its path never ends in a slash
/// @param connectTimeout at most the timeout
/// @param timeout from the forward's start to its complete response
/// @param maxConcurrent forwards under way to it from one replica
/// @param headers put on every forward
/// @param key how it is told the key
/// @param deduplicates how long it honours the key; null: it does not
/// @param reach how it is reached, besides its URL
/// @param oauth2 where a token for each forward is had; null: none is put on
public record DownstreamSettings(
        URI url,
        Duration connectTimeout,
        Duration timeout,
        int maxConcurrent,
        List<HeaderSetting> headers,
        DownstreamKeySettings key,
        @Nullable Duration deduplicates,
        Reach reach,
        @Nullable OAuth2Settings oauth2) {

    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    public static final Duration TIMEOUT = Duration.ofSeconds(30);
    public static final int MAX_CONCURRENT = 256;

    private static final String AUTHORIZATION = "Authorization";

    public DownstreamSettings {
        url = BaseUrl.withoutTrailingSlash(url);
        headers = List.copyOf(headers);
        Checks checks = new Checks()
                .add("url", BaseUrl.check(url))
                .positive(timeout, "timeout")
                .atLeast(connectTimeout, timeout.isPositive() ? Duration.ofMillis(1) : Duration.ZERO, "connect-timeout")
                .that(
                        connectTimeout.compareTo(timeout) <= 0,
                        "connect-timeout",
                        DurationText.format(connectTimeout) + " is longer than the timeout of "
                                + DurationText.format(timeout) + "; write at most that")
                .between(maxConcurrent, 1, 1_000_000, "max-concurrent")
                .that(
                        deduplicates == null || key.value() != DownstreamKeySettings.Value.NONE,
                        "deduplicates",
                        "the downstream is sent no key (key.value is none), so it cannot deduplicate by it; remove this,"
                                + " or write derived there");
        if (deduplicates != null) {
            checks.positive(deduplicates, "deduplicates");
        }
        checks.add("tls", reach.problemWith(url));
        checkHeaders(headers, key, checks);
        checks.that(
                oauth2 == null || headers.stream().noneMatch(it -> it.name().equalsIgnoreCase(AUTHORIZATION)),
                "headers.Authorization",
                "the token of oauth2 goes under this name; remove one of them");
        checks.that(
                oauth2 == null || !key.header().equalsIgnoreCase(AUTHORIZATION), "key.header",
                "the token of oauth2 goes under this name; name another one");
        checks.done();
    }

    /// Every default.
    public static DownstreamSettings at(URI url) {
        return new DownstreamSettings(
                url, CONNECT_TIMEOUT, TIMEOUT, MAX_CONCURRENT, List.of(), DownstreamKeySettings.defaults(), null,
                Reach.usual(), null);
    }

    /// The default, which never exceeds the timeout.
    static Duration connectTimeoutWithin(Duration timeout) {
        return timeout.compareTo(CONNECT_TIMEOUT) < 0 ? timeout : CONNECT_TIMEOUT;
    }

    private static void checkHeaders(List<HeaderSetting> headers, DownstreamKeySettings key, Checks checks) {
        Set<String> seen = new HashSet<>();
        for (HeaderSetting header : headers) {
            checks.that(
                    seen.add(header.name().toLowerCase(Locale.ROOT)),
                    "headers." + header.name(),
                    "the field is given twice; names are the same in upper and lower case");
            checks.that(
                    key.value() == DownstreamKeySettings.Value.NONE
                            || !header.name().equalsIgnoreCase(key.header()),
                    "headers." + header.name(),
                    "the downstream key goes under this name; remove it here, or name another one in key.header");
        }
    }
}

package dev.latchkey.config;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What the URL of a downstream, or of a collector, may look like. Messages never show one: it may hold a password.
final class BaseUrl {

    private BaseUrl() {}

    /// @throws IllegalArgumentException saying what is allowed
    static URI parse(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "this is not a URL; write https://HOST, with :PORT and a path if need be", e);
        }
    }

    static @Nullable String check(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            return "only http and https can be reached; write https://HOST";
        }
        if (url.getRawUserInfo() != null) {
            return "a user or password in the URL would be shown in logs; put it into headers, as Authorization";
        }
        if (url.getHost() == null || url.getPort() == 0 || url.getPort() > 65_535) {
            return "the URL names no valid host and port; write https://HOST or https://HOST:PORT (letters, digits,"
                    + " hyphens and dots)";
        }
        if (url.getRawQuery() != null || url.getRawFragment() != null) {
            return "a query or fragment cannot be part of a base URL; remove it";
        }
        if (url.getRawPath().contains("//") || Spelling.hasDotSegment(url.getRawPath())) {
            return "the path has an empty or a dot segment; write it out";
        }
        return null;
    }

    /// One that names no host stays as it is: without its slash it may be no URL at all.
    static URI withoutTrailingSlash(URI url) {
        String text = url.toString();
        return url.getHost() != null && text.endsWith("/") && url.getRawPath().endsWith("/")
                ? URI.create(text.substring(0, text.length() - 1))
                : url;
    }
}

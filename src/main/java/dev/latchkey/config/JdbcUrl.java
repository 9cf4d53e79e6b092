package dev.latchkey.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What PostgreSQL's driver reads as a URL, and no more: of one that it does not read it says all of it, password included.
/// Complaints show nothing of it.
final class JdbcUrl {

    static final String START = "jdbc:postgresql:";

    private static final String WRITE = "; write " + START + "//HOST:5432/DATABASE";
    private static final Pattern HOST = Pattern.compile("(?:\\[[0-9A-Fa-f:.]+]|[^:\\[\\]]*)(?::(\\d{1,5}))?");
    private static final Pattern BARE_PERCENT = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final int LAST_PORT = 65_535;

    private JdbcUrl() {}

    /// What is wrong; null: nothing.
    static @Nullable String complaint(String url) {
        if (!url.startsWith(START) || url.length() == START.length()) {
            return "this is not the JDBC URL of a PostgreSQL" + WRITE;
        }
        String place = withoutParameters(url).substring(START.length());
        if (place.contains("@")) {
            return "a user or password before the host is not what the driver reads, and it would show them; write"
                    + " ledger.user and ledger.password";
        }
        if (BARE_PERCENT.matcher(url).find()) {
            return "a % begins no escape here; write % itself as %25";
        }
        if (place.startsWith("//")) {
            int slash = place.indexOf('/', 2);
            return slash < 0 || place.indexOf('/', slash + 1) >= 0
                    ? "behind the hosts stands one slash, and the database's name" + WRITE
                    : hosts(place.substring(2, slash).split(",", -1));
        }
        return place.startsWith("/") ? "before the hosts stand two slashes" + WRITE : null;
    }

    private static @Nullable String hosts(String[] hosts) {
        for (String host : hosts) {
            if (host.isBlank() && hosts.length > 1) {
                return "there is a comma and no host beside it" + WRITE;
            }
            Matcher parts = HOST.matcher(host.strip());
            if (!parts.matches()) {
                return "of a host and its port the one or the other is none; an IPv6 address stands in brackets"
                        + WRITE;
            }
            String port = parts.group(1);
            if (port != null && (Integer.parseInt(port) < 1 || Integer.parseInt(port) > LAST_PORT)) {
                return "a port is a number from 1 to " + LAST_PORT + WRITE;
            }
        }
        return null;
    }

    /// Parameters may hold a password.
    static String withoutParameters(String url) {
        return url.replaceFirst("(?s)\\?.*", "");
    }
}

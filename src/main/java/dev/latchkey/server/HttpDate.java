package dev.latchkey.server;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The preferred form of an HTTP date (RFC 9110 §5.6.7), with two digits for the day always.
final class HttpDate {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private HttpDate() {}

    static String of(Instant time) {
        return FORMAT.format(time);
    }
}

package dev.latchkey.http;

import java.util.Locale;

/// One header field line. Names compare without regard to case (RFC 9110 §5.1).
///
/// Values hold one character for each byte (ISO-8859-1), so that obs-text survives unchanged.
///
/// @param name as it came, or as it is to be sent
/// @param value without leading or trailing white space
public record Header(String name, String value) {

    /// Whether this line belongs to the field of that name.
    public boolean is(String otherName) {
        return name.equalsIgnoreCase(otherName);
    }

    /// The name in lower case, for sets and maps.
    public String lowerCaseName() {
        return name.toLowerCase(Locale.ROOT);
    }
}

package dev.latchkey.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How names, header fields and pointers may be spelled. Each check answers null where the value is fine, else what is
/// wrong and what is allowed.
final class Spelling {

    /// Fields that belong to one connection or that frame the message (RFC 9110 §7.6.1): nobody sets them by hand.
    private static final Set<String> CONNECTION_FIELDS = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final Set<Integer> UNSEEN = Set.of(
            (int) Character.FORMAT, (int) Character.LINE_SEPARATOR, (int) Character.PARAGRAPH_SEPARATOR,
            (int) Character.SURROGATE);
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern FIELD_VALUE =
            Pattern.compile("([\\x21-\\x7E\\x80-\\xFF]([\\x20-\\x7E\\t\\x80-\\xFF]*[\\x21-\\x7E\\x80-\\xFF])?)?");
    private static final Pattern NO_ESCAPE = Pattern.compile("~(?![01])");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private Spelling() {}

    /// The name of a client or a route: it goes into tables, logs and metrics.
    static @Nullable String name(String name) {
        boolean fine = !name.isBlank()
                && name.length() <= 200
                && name.strip().equals(name)
                && name.codePoints().noneMatch(Spelling::isUnseen);
        return fine
                ? null
                : Quoted.of(name) + " is not a name; write 1 to 200 characters without a control character"
                        + " and without a space at either end";
    }

    /// What no line shows, what some break a line at, and half of a surrogate pair, which is no text.
    private static boolean isUnseen(int c) {
        return Character.isISOControl(c) || UNSEEN.contains(Character.getType(c));
    }

    static @Nullable String fieldName(String name) {
        return TOKEN.matcher(name).matches()
                ? null
                : Quoted.of(name) + " is not a header field name; write letters, digits and hyphens";
    }

    /// A field that a person may set on a forward.
    static @Nullable String ownFieldName(String name) {
        String complaint = fieldName(name);
        if (complaint != null) {
            return complaint;
        }
        return CONNECTION_FIELDS.contains(name.toLowerCase(Locale.ROOT))
                ? name + " belongs to the connection and is set by the gateway; remove it"
                : null;
    }

    static boolean isFieldValue(String value) {
        return FIELD_VALUE.matcher(value).matches();
    }

    /// A JSON pointer (RFC 6901) to something inside the document.
    static @Nullable String pointer(String pointer) {
        return pointer.startsWith("/") && !NO_ESCAPE.matcher(pointer).find()
                ? null
                : Quoted.of(pointer)
                        + " is not a JSON pointer; write /name, /list/0 or /outer/inner (~1 for /, ~0 for ~)";
    }

    /// Never shows the text: someone may have written the token itself.
    static @Nullable String sha256(String digest) {
        return SHA256.matcher(digest).matches()
                ? null
                : "this is not a SHA-256 digest; write the 64 hexadecimal digits of the token's"
                        + " (printf %s TOKEN | sha256sum), never the token itself";
    }

    /// A final status code.
    static @Nullable String status(int status) {
        return status >= 200 && status <= 599
                ? null
                : status + " is not the status of a complete response; write a number from 200 to 599";
    }

    static @Nullable String path(String text) {
        try {
            URI uri = new URI(text);
            boolean plain = uri.getRawFragment() == null && uri.getRawAuthority() == null && !uri.isAbsolute();
            return plain && (text.startsWith("/") || text.startsWith("?")) && !hasDotSegment(uri.getRawPath())
                    ? null
                    : Quoted.of(text) + " is not a path; write /segments, a ?query or both";
        } catch (URISyntaxException e) {
            return Quoted.of(text) + " is not a path: " + e.getReason() + " at character " + (e.getIndex() + 1);
        }
    }

    /// Whether a segment is `.` or `..`, however encoded, also with a parameter behind it.
    static boolean hasDotSegment(String path) {
        return Pattern.compile("/")
                .splitAsStream(path.replaceAll("(?i)%2e", "."))
                .anyMatch(segment -> segment.matches("\\.{1,2}(;.*)?"));
    }
}

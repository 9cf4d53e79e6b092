package dev.latchkey.downstream;

import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Status line and field lines of a response (RFC 9112 §4, §5).
///
/// @param oldVersion whether it is HTTP/1.0
/// @param status 100 to 599
/// @param headers every field line
record ResponseHead(boolean oldVersion, int status, Headers headers) {

    private static final int MOST_BYTES = 64 * 1024;
    private static final int MOST_LINES = 256;
    private static final int MOST_INTERIM = 32;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.([01]) ([1-5][0-9]{2})( .*)?");
    private static final Pattern KEEP_ALIVE = Pattern.compile("(?i)(?:.*[,\\s])?timeout\\s*=\\s*\"?([0-9]{1,9}).*");

    /// Reads up to the final response's head; interim ones (1xx) are passed over.
    ///
    /// @throws EOFException when the connection was closed before a final response began
    static ResponseHead readFinal(WireInput input) throws IOException {
        for (int i = 0; i <= MOST_INTERIM; i++) {
            ResponseHead head = read(input);
            if (head.status == SWITCHING_PROTOCOLS) {
                throw new MalformedResponse("a switch of protocols that nobody asked for");
            }
            if (head.status >= 200) {
                return head;
            }
        }
        throw new MalformedResponse("too many interim responses");
    }

    private static ResponseHead read(WireInput input) throws IOException {
        String line = input.firstLine(MOST_BYTES);
        Matcher start = STATUS_LINE.matcher(line);
        if (!start.matches()) {
            throw new MalformedResponse("no status line");
        }
        boolean oldVersion = start.group(1).equals("0");
        return new ResponseHead(
                oldVersion, Integer.parseInt(start.group(2)), fields(input, MOST_BYTES - line.length()));
    }

    /// Reads field lines up to the empty one: a head's or a trailer section's.
    static Headers fields(WireInput input, int most) throws IOException {
        List<Header> fields = new ArrayList<>();
        int left = most;
        for (String line = input.line(left, true); !line.isEmpty(); line = input.line(left, true)) {
            left -= line.length();
            if (Syntax.isBlank(line.charAt(0)) && !fields.isEmpty()) {
                // An obsolete fold becomes a space (RFC 9112 §5.2).
                Header folded = fields.removeLast();
                fields.add(field(folded.name() + ":" + folded.value() + " " + Syntax.trimmed(line)));
            } else {
                fields.add(field(line));
            }
            if (fields.size() > MOST_LINES) {
                throw new MalformedResponse("too many field lines");
            }
        }
        return new Headers(fields);
    }

    private static Header field(String line) throws MalformedResponse {
        int colon = line.indexOf(':');
        if (colon < 0 || !Syntax.isToken(line.substring(0, colon)) || !Syntax.isValue(line)) {
            throw new MalformedResponse("not a field line");
        }
        return new Header(line.substring(0, colon), Syntax.trimmed(line.substring(colon + 1)));
    }

    /// Whether the downstream said that it closes after this response.
    boolean announcesClose() {
        return oldVersion || Framing.hasToken(headers, "Connection", "close");
    }

    /// How long the downstream keeps the connection for a next request; null where it does not say.
    @Nullable
    Duration keepAlive() {
        return headers.first("Keep-Alive")
                .map(KEEP_ALIVE::matcher)
                .filter(Matcher::matches)
                .map(found -> Duration.ofSeconds(Long.parseLong(found.group(1))))
                .orElse(null);
    }
}

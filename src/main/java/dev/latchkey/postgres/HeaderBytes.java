package dev.latchkey.postgres;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import java.util.ArrayList;
import java.util.List;

/// Header field lines as the ledger keeps them: `Name: value`, each ended by CR LF, one byte a character (ISO-8859-1), so
/// that order, repeated fields and obs-text come back as they were.
final class HeaderBytes {

    private static final String END = "\r\n";
    private static final String SEPARATOR = ": ";

    private HeaderBytes() {}

    static byte[] of(Headers headers) {
        StringBuilder lines = new StringBuilder();
        for (Header line : headers) {
            lines.append(line.name()).append(SEPARATOR).append(line.value()).append(END);
        }
        return lines.toString().getBytes(ISO_8859_1);
    }

    static Headers read(byte[] bytes) {
        String lines = new String(bytes, ISO_8859_1);
        List<Header> headers = new ArrayList<>();
        int from = 0;
        for (int to = lines.indexOf(END); to >= 0; to = lines.indexOf(END, from)) {
            int colon = lines.indexOf(SEPARATOR, from);
            headers.add(new Header(lines.substring(from, colon), lines.substring(colon + SEPARATOR.length(), to)));
            from = to + END.length();
        }
        return new Headers(headers);
    }
}

package dev.latchkey.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads `multipart/form-data` (RFC 7578, RFC 2046 §5.1) strictly. What stands before the first boundary and after the
/// last one is no part and does not count.
final class MultipartParts {

    private static final Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");

    private static final byte[] BLANK_LINE = {'\r', '\n', '\r', '\n'};

    private final byte[] body;
    private final byte[] delimiter;
    private int at;

    private MultipartParts(byte[] body, String boundary) {
        this.body = body;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    }

    /// What one part is known by.
    ///
    /// @param filename as sent, `filename*` too, each after its name
    /// @param type the part's `Content-Type` field lines
    private record Head(String name, List<String> filename, List<String> type) {}

    /// Adds each part's name, filename, type and bytes, in their order.
    ///
    /// @return false, and the digest is of no use, if the body is malformed
    static boolean addTo(Sha256 digest, byte[] body, String boundary) {
        return BOUNDARY.matcher(boundary).matches() && new MultipartParts(body, boundary).addTo(digest);
    }

    private boolean addTo(Sha256 digest) {
        boolean atOnce = startsWith(delimiter, 2, 0);
        int first = atOnce ? -2 : find(delimiter, 0);
        at = first + delimiter.length;
        if (first < 0 && !atOnce) {
            return false;
        }
        while (!closes()) {
            if (!skipLineEnd()) {
                return false;
            }
            int head = at;
            // From the line end before the head on, so that a part without a head is told apart.
            int end = find(delimiter, head - 2);
            int blank = find(BLANK_LINE, head - 2);
            if (blank < 0 || blank + 2 > end
                    || !addPart(digest, head, Math.max(blank, head), Math.min(blank + 4, end), end)) {
                return false;
            }
            at = end + delimiter.length;
        }
        return true;
    }

    private boolean addPart(Sha256 digest, int head, int headEnd, int from, int end) {
        Optional<Head> read = readHead(new String(body, head, headEnd - head, StandardCharsets.ISO_8859_1));
        if (read.isEmpty()) {
            return false;
        }
        Head part = read.get();
        digest.text("part").text(part.name);
        digest.number(part.filename.size());
        part.filename.forEach(digest::text);
        digest.number(part.type.size());
        if (!part.type.isEmpty()) {
            BodyDigest.addRawType(digest, MediaType.of(part.type));
        }
        digest.field(body, from, end);
        return true;
    }

    private static Optional<Head> readHead(String head) {
        List<String> lines = Arrays.asList(head.split("\r\n", -1));
        if (lines.stream()
                .anyMatch(line -> line.indexOf(':') < 1 || line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0)) {
            return Optional.empty(); // a folded line among others
        }
        List<String> dispositions = values(lines, "content-disposition");
        List<String> types = values(lines, "content-type");
        if (dispositions.size() != 1 || types.size() > 1) {
            return Optional.empty();
        }
        String disposition = dispositions.getFirst();
        int end = FieldParameters.skipToken(disposition, 0);
        if (!disposition.substring(0, end).equalsIgnoreCase("form-data")) {
            return Optional.empty();
        }
        return FieldParameters.read(disposition, end).flatMap(parameters -> parameters
                .raw("name")
                .map(name -> new Head(name, filenames(parameters), types)));
    }

    private static List<String> filenames(FieldParameters parameters) {
        return parameters.parameters().stream()
                .filter(parameter -> parameter.name().equals("filename") || parameter.name().equals("filename*"))
                .sorted((left, right) -> left.name().compareTo(right.name()))
                .map(parameter -> parameter.name() + "=" + parameter.raw())
                .toList();
    }

    private static List<String> values(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT).equals(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .toList();
    }

    /// Whether the delimiter just read is the last one.
    private boolean closes() {
        if (!startsWith(new byte[] {'-', '-'}, 0, at)) {
            return false;
        }
        at += 2;
        return at == body.length || skipLineEnd();
    }

    /// Takes padding and the end of a line.
    private boolean skipLineEnd() {
        while (at < body.length && (body[at] == ' ' || body[at] == '\t')) {
            at++;
        }
        boolean lineEnd = startsWith(new byte[] {'\r', '\n'}, 0, at);
        at += lineEnd ? 2 : 0;
        return lineEnd;
    }

    private boolean startsWith(byte[] start, int skipped, int from) {
        int length = start.length - skipped;
        return from + length <= body.length && Arrays.equals(start, skipped, start.length, body, from, from + length);
    }

    /// Where the bytes come next, or -1.
    private int find(byte[] wanted, int from) {
        for (int i = from; i <= body.length - wanted.length; i++) {
            if (body[i] == wanted[0] && startsWith(wanted, 0, i)) {
                return i;
            }
        }
        return -1;
    }
}

package dev.latchkey.protocol;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The parameters of a header field value: `; name=value`, the value a token or a quoted string (RFC 9110 §5.6.6).
///
/// @param parameters in their order
record FieldParameters(List<Parameter> parameters) {

    private static final String TOKEN_MARKS = "!#$%&'*+.^_`|~-";

    /// @param name in lower case
    /// @param raw as sent; what stands between the quotes of a quoted string
    record Parameter(String name, String raw) {}

    /// Reads from a place in the text to its end; empty if anything there is malformed or a name comes twice.
    static Optional<FieldParameters> read(String text, int from) {
        List<Parameter> parameters = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int at = from;
        while (at < text.length()) {
            at = skipWhiteSpace(text, at);
            if (at == text.length() || text.charAt(at) != ';') {
                return Optional.empty();
            }
            at = skipWhiteSpace(text, at + 1);
            int equals = skipToken(text, at);
            if (equals == at && (at == text.length() || text.charAt(at) == ';')) {
                continue; // an empty parameter, which RFC 9110 allows
            }
            if (equals == at || equals == text.length() || text.charAt(equals) != '=') {
                return Optional.empty();
            }
            boolean quoted = text.startsWith("\"", equals + 1);
            int begin = quoted ? equals + 2 : equals + 1;
            int end = quoted ? closingQuote(text, begin) : skipToken(text, begin);
            if (end < 0 || (!quoted && end == begin)) {
                return Optional.empty();
            }
            String name = text.substring(at, equals).toLowerCase(Locale.ROOT);
            if (!names.add(name)) {
                return Optional.empty();
            }
            parameters.add(new Parameter(name, text.substring(begin, end)));
            at = quoted ? end + 1 : end;
        }
        return Optional.of(new FieldParameters(parameters));
    }

    /// Where the token that begins at a place ends.
    static int skipToken(String text, int from) {
        int at = from;
        while (at < text.length() && isTokenCharacter(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /// The text as sent of the parameter of that name.
    Optional<String> raw(String name) {
        return parameters.stream()
                .filter(parameter -> parameter.name.equals(name))
                .map(Parameter::raw)
                .findFirst();
    }

    /// The value of the parameter of that name, escapes undone.
    Optional<String> value(String name) {
        return raw(name).map(FieldParameters::unescape);
    }

    private static String unescape(String raw) {
        StringBuilder text = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) == '\\') {
                i++;
            }
            text.append(raw.charAt(i));
        }
        return text.toString();
    }

    private static boolean isTokenCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || TOKEN_MARKS.indexOf(c) >= 0;
    }

    private static int skipWhiteSpace(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    /// Where the quoted string ends, or -1.
    private static int closingQuote(String text, int from) {
        for (int at = from; at < text.length(); at++) {
            if (text.charAt(at) == '"') {
                return at;
            }
            if (text.charAt(at) == '\\') {
                at++;
            }
        }
        return -1;
    }
}

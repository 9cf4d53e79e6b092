package dev.latchkey.protocol;

import dev.latchkey.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a `Content-Type` says (RFC 9110 §8.3), as far as fingerprints need it.
///
/// @param name type and subtype in lower case; empty where there is no field; the fields as sent where they cannot be
///     read
/// @param readable whether `name` is a type and subtype
/// @param charset in lower case
/// @param boundary as sent
record MediaType(String name, boolean readable, @Nullable String charset, @Nullable String boundary) {

    static MediaType of(Headers headers) {
        return of(headers.all("Content-Type"));
    }

    static MediaType of(List<String> fieldLines) {
        String text = String.join(", ", fieldLines).strip();
        return read(text).orElse(new MediaType(text, false, null, null));
    }

    private static Optional<MediaType> read(String text) {
        int slash = FieldParameters.skipToken(text, 0);
        if (slash == 0 || !text.startsWith("/", slash)) {
            return Optional.empty();
        }
        int end = FieldParameters.skipToken(text, slash + 1);
        if (end == slash + 1) {
            return Optional.empty();
        }
        String name = text.substring(0, end).toLowerCase(Locale.ROOT);
        return FieldParameters.read(text, end).map(parameters -> new MediaType(
                name,
                true,
                parameters.value("charset").map(charset -> charset.toLowerCase(Locale.ROOT)).orElse(null),
                parameters.value("boundary").orElse(null)));
    }

    boolean isJson() {
        return readable && (name.equals("application/json") || name.endsWith("+json"));
    }

    boolean isUtf8() {
        return charset == null || charset.equals("utf-8");
    }

    boolean isForm() {
        return readable && name.equals("application/x-www-form-urlencoded");
    }

    boolean isMultipartForm() {
        return readable && name.equals("multipart/form-data");
    }
}

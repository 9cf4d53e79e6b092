package dev.latchkey.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.IdempotencyKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Makes a request of one line of a batch, read strictly: what is unknown, twice, or could mean two things is refused. What
/// was sent is not quoted, but for the plain name of a member. Immutable; safe for any number of threads.
final class LineParser {

    private static final String MEMBERS = "method, path, key, headers, body, body_base64";
    private static final int DEEPEST = 1_000;
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /// They frame one message on one connection, and a line has neither: dropped in silence they would be missed.
    private static final Set<String> FRAMING = Set.of(
            "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-connection", "te",
            "trailer", "transfer-encoding", "upgrade");

    /// Lengths are bounded by the line's; names of members are the sender's, and must not be kept for ever.
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final int headerFields;

    /// @param headerFields bytes allowed for target and header fields together
    LineParser(int headerFields) {
        this.headerFields = headerFields;
    }

    /// @throws Refusing for a line that is no call
    Request parse(Body line) {
        if (!AnswerLine.isText(line.bytes())) {
            throw refusing("The line is not UTF-8.");
        }
        try (JsonParser json = JSON.createParser(line.bytes())) {
            Members members = new Members(line.bytes(), json);
            members.read();
            return request(members);
        } catch (JsonProcessingException e) {
            // Not its message: it quotes what was sent.
            throw refusing("The line is not strict JSON (at byte " + offset(e) + "), or nests more than " + DEEPEST
                    + " deep.");
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot fail to be read", e);
        }
    }

    private static long offset(JsonProcessingException e) {
        return e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
    }

    private Request request(Members members) {
        String target = members.path;
        if (target == null) {
            throw refusing("The line has no path.");
        }
        if (target.indexOf('#') >= 0) {
            throw new Refusing(
                    Problem.PATH_INVALID, "The path has a number sign; percent-encode it. Nothing was forwarded by this"
                            + " call.");
        }
        List<Header> fields = members.fields;
        addKey(members.key, fields);
        if (members.jsonBody && fields.stream().noneMatch(line -> line.is("Content-Type"))) {
            fields.add(new Header("Content-Type", "application/json"));
        }
        checkSize(target, fields);
        int query = target.indexOf('?');
        return new Request(
                members.method, query < 0 ? target : target.substring(0, query),
                query < 0 ? null : target.substring(query + 1), new Headers(fields), members.body);
    }

    /// The key goes the way of every key: as a field, in its quoted form.
    private static void addKey(@Nullable String text, List<Header> fields) {
        if (text == null) {
            return;
        }
        if (text.isEmpty()) {
            throw new Refusing(Problem.KEY_MISSING, "The key is empty. Send a key of 1 to 255 characters.");
        }
        IdempotencyKey key = switch (IdempotencyKey.check(text)) {
            case IdempotencyKey.Valid valid -> valid.key();
            case IdempotencyKey.Invalid invalid -> throw new Refusing(Problem.KEY_INVALID, invalid.reason() + ".");
            case IdempotencyKey.Missing _ -> throw new IllegalStateException("a text that is there is never missing");
        };
        List<String> lines = new Headers(fields).all(Keys.FIELD);
        boolean same = lines.isEmpty()
                || (IdempotencyKey.parse(lines) instanceof IdempotencyKey.Valid other
                        && other.key().text().equals(key.text()));
        if (!same) {
            throw new Refusing(
                    Problem.KEY_INVALID, "The line has a key and an Idempotency-Key among its headers that is another."
                            + " Send one of them.");
        }
        fields.removeIf(line -> line.is(Keys.FIELD));
        fields.add(new Header(Keys.FIELD, key.structured()));
    }

    private void checkSize(String target, List<Header> fields) {
        long bytes = target.length();
        for (Header line : fields) {
            bytes += line.name().length() + line.value().length() + 4L;
        }
        if (bytes > headerFields) {
            throw new Refusing(
                    Problem.HEADER_FIELDS_TOO_LARGE,
                    "Path and headers of the line together are larger than the " + headerFields
                            + " bytes that this gateway takes.");
        }
    }

    private static Refusing refusing(String detail) {
        return new Refusing(Problem.REQUEST_INVALID, detail);
    }

    /// The members of one line. Used by one thread.
    private static final class Members {
        private final byte[] line;
        private final JsonParser json;
        private final Set<String> seen = new HashSet<>();
        private final List<Header> fields = new ArrayList<>();
        private String method = "POST";
        private @Nullable String path;
        private @Nullable String key;
        private Body body = Body.empty();
        /// The body is a JSON value as it stands in the line.
        private boolean jsonBody;

        Members(byte[] line, JsonParser json) {
            this.line = line;
            this.json = json;
        }

        void read() throws IOException {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw refusing("The line must be a JSON object.");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                if (!seen.add(name)) {
                    throw refusing("The line has a member twice" + named(name) + ".");
                }
                json.nextToken();
                member(name);
            }
            if (json.nextToken() != null) {
                throw refusing("Something follows the JSON object in its line.");
            }
            if (seen.contains("body") && seen.contains("body_base64")) {
                throw refusing("The line has both body and body_base64; one is allowed.");
            }
        }

        private void member(String name) throws IOException {
            switch (name) {
                case "method" -> method = text(name);
                case "path" -> path = text(name);
                case "key" -> key = text(name);
                case "headers" -> headers();
                case "body" -> body();
                case "body_base64" -> base64();
                default -> throw refusing(
                        "The line has an unknown member" + named(name) + ". Allowed: " + MEMBERS + ".");
            }
        }

        private void body() throws IOException {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                body = Body.of(utf8(json.getText()));
            } else {
                jsonBody = true;
                body = Body.of(asItStands());
            }
        }

        /// The value's own text: read and written again, a number could become another.
        private byte[] asItStands() throws IOException {
            int from = (int) json.currentTokenLocation().getByteOffset();
            if (json.currentToken().isStructStart()) {
                json.skipChildren();
                return Arrays.copyOfRange(line, from, (int) json.currentLocation().getByteOffset());
            }
            return Arrays.copyOfRange(line, from, from + json.getText().length());
        }

        private void base64() throws IOException {
            try {
                body = Body.of(Base64.getDecoder().decode(text("body_base64")));
            } catch (IllegalArgumentException _) {
                throw refusing("body_base64 is not Base64 (RFC 4648 §4).");
            }
        }

        private void headers() throws IOException {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw refusing("headers must be an object of names and values.");
            }
            Set<String> names = new HashSet<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                Header first = new Header(name, "");
                if (!FIELD_NAME.matcher(name).matches()) {
                    throw refusing("headers has a name that is none of a header field: letters, digits and hyphens.");
                }
                if (FRAMING.contains(first.lowerCaseName())) {
                    throw refusing("headers has " + first.lowerCaseName()
                            + ", which frames a message on a connection; leave it out.");
                }
                if (!names.add(first.lowerCaseName())) {
                    throw refusing("headers has a name twice" + named(name) + ". Give its values as an array.");
                }
                values(name);
            }
        }

        private void values(String name) throws IOException {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                fields.add(new Header(name, value(name)));
                return;
            }
            while (json.nextToken() != JsonToken.END_ARRAY) {
                fields.add(new Header(name, value(name)));
            }
        }

        private String value(String name) throws IOException {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                throw refusing(
                        "headers has a value that is neither a string nor an array of strings" + named(name) + ".");
            }
            String value = json.getText();
            if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c <= 0xFF && c != 0x7F))) {
                throw refusing("headers has a value with a control character, or one past ISO-8859-1" + named(name)
                        + ".");
            }
            return value.strip();
        }

        private String text(String name) throws IOException {
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                throw refusing(name + " must be a string.");
            }
            return json.getText();
        }

        private static byte[] utf8(String text) {
            try {
                ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
                byte[] bytes = new byte[encoded.remaining()];
                encoded.get(bytes);
                return bytes;
            } catch (CharacterCodingException _) {
                throw refusing("body has half of a surrogate pair, which is no text; send it as body_base64.");
            }
        }

        private static String named(String name) {
            return PLAIN_NAME.matcher(name).matches() ? " (" + name + ")" : "";
        }
    }
}

package dev.latchkey.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
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

/// The members of one line of a batch, as they are read. Used by one thread.
final class LineMembers {

    private static final String MEMBERS = "method, path, key, headers, body, body_base64";
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /// They frame one message on one connection, and a line has neither: dropped in silence they would be missed.
    private static final Set<String> FRAMING = Set.of(
            "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-connection", "te",
            "trailer", "transfer-encoding", "upgrade");

    private final byte[] line;
    private final JsonParser json;
    private final Set<String> seen = new HashSet<>();

    String method = "POST";
    @Nullable
    String path;
    @Nullable
    String key;
    /// In the order of the line.
    final List<Header> fields = new ArrayList<>();
    Body body = Body.empty();
    /// The body is a JSON value as it stands in the line.
    boolean jsonBody;

    LineMembers(byte[] line, JsonParser json) {
        this.line = line;
        this.json = json;
    }

    /// @throws Refusing for a line that is no call
    void read() throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw LineParser.refusing("The line must be a JSON object.");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            if (!seen.add(name)) {
                throw LineParser.refusing("The line has a member twice" + named(name) + ".");
            }
            json.nextToken();
            member(name);
        }
        if (json.nextToken() != null) {
            throw LineParser.refusing("Something follows the JSON object in its line.");
        }
        if (seen.contains("body") && seen.contains("body_base64")) {
            throw LineParser.refusing("The line has both body and body_base64; one is allowed.");
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
            default -> throw LineParser.refusing(
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
            throw LineParser.refusing("body_base64 is not Base64 (RFC 4648 §4).");
        }
    }

    private void headers() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw LineParser.refusing("headers must be an object of names and values.");
        }
        Set<String> names = new HashSet<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            Header first = new Header(name, "");
            if (!FIELD_NAME.matcher(name).matches()) {
                throw LineParser
                        .refusing("headers has a name that is none of a header field: letters, digits and hyphens.");
            }
            if (FRAMING.contains(first.lowerCaseName())) {
                throw LineParser.refusing("headers has " + first.lowerCaseName()
                        + ", which frames a message on a connection; leave it out.");
            }
            if (!names.add(first.lowerCaseName())) {
                throw LineParser.refusing("headers has a name twice" + named(name) + ". Give its values as an array.");
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
            throw LineParser.refusing(
                    "headers has a value that is neither a string nor an array of strings" + named(name) + ".");
        }
        String value = json.getText();
        if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c <= 0xFF && c != 0x7F))) {
            throw LineParser
                    .refusing("headers has a value with a control character, or one past ISO-8859-1" + named(name)
                            + ".");
        }
        return value.strip();
    }

    private String text(String name) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw LineParser.refusing(name + " must be a string.");
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
            throw LineParser.refusing("body has half of a surrogate pair, which is no text; send it as body_base64.");
        }
    }

    private static String named(String name) {
        return PLAIN_NAME.matcher(name).matches() ? " (" + name + ")" : "";
    }
}

package dev.latchkey.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.IdempotencyKey;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes a request of one line of a batch, read strictly: what is unknown, twice, or could mean two things is refused. What
/// was sent is not quoted, but for the plain name of a member. Immutable; safe for any number of threads.
final class LineParser {

    private static final int DEEPEST = 1_000;

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
            LineMembers members = new LineMembers(line.bytes(), json);
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

    private Request request(LineMembers members) {
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

    static Refusing refusing(String detail) {
        return new Refusing(Problem.REQUEST_INVALID, detail);
    }
}

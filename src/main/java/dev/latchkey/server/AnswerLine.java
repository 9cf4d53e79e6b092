package dev.latchkey.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.latchkey.gateway.Answer;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The answer to one line of a batch, as one line of JSON. Immutable.
///
/// @param index which line
/// @param key what was read of it; null: nothing
/// @param state the entry's, as far as it is told; null: there is none
record AnswerLine(
        long index, @Nullable IdempotencyKey key, Reply reply, boolean replayed, @Nullable State state) {

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .build();
    private static final int AT_ONCE = 1024;
    /// Objects, header fields, key.
    private static final int AROUND = 2048;
    /// Beyond this a body is put into its line only while that is sent: a second copy of it would cost more than the objects
    /// around it.
    private static final int SMALL = 16 * 1024;

    /// A line that can be sent.
    sealed interface Sendable {

        /// About how much of the heap it takes.
        long weight();

        void writeTo(OutputStream out) throws IOException;
    }

    private record Text(Body text) implements Sendable {
        @Override
        public long weight() {
            return text.length() + 128L;
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            out.write(text.bytes());
        }
    }

    private record Large(AnswerLine line) implements Sendable {
        @Override
        public long weight() {
            return (long) line.reply().body().length() + AROUND;
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            line.writeTo(out);
        }
    }

    static AnswerLine of(long index, @Nullable IdempotencyKey key, Answer answer, Reply reply) {
        return switch (answer) {
            case Answer.Delivered delivered ->
                    new AnswerLine(index, key, reply, delivered.replayed(), delivered.state());
            case Answer.Refused refused -> new AnswerLine(index, key, reply, false, refused.refusal().state());
            case Answer.Streamed _ -> throw new IllegalArgumentException("a line holds its body whole");
        };
    }

    /// In the form that takes the least room until it is sent.
    Sendable sendable() {
        if (reply.body().length() > SMALL) {
            return new Large(this);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream(AROUND);
        try {
            writeTo(text);
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot fail to be written", e);
        }
        return new Text(Body.of(text.toByteArray()));
    }

    /// Writes the line and its end.
    void writeTo(OutputStream out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField("index", index);
            if (key != null) {
                json.writeStringField("key", key.text());
            }
            json.writeNumberField("status", reply.status());
            writeHeaders(json, reply.headers());
            writeBody(json, reply.body());
            json.writeBooleanField("replayed", replayed);
            json.writeStringField("state", state == null ? null : state.wireName());
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    /// Without the length, which is the body's: the body is whole, or the line would not be here.
    private static void writeHeaders(JsonGenerator out, Headers headers) throws IOException {
        Map<String, List<Header>> byName = new LinkedHashMap<>();
        for (Header line : headers) {
            if (!line.is("Content-Length")) {
                byName.computeIfAbsent(line.name().toLowerCase(Locale.ROOT), _ -> new ArrayList<>()).add(line);
            }
        }
        out.writeObjectFieldStart("headers");
        for (List<Header> lines : byName.values()) {
            out.writeFieldName(lines.getFirst().name());
            if (lines.size() == 1) {
                out.writeString(lines.getFirst().value());
            } else {
                out.writeArray(lines.stream().map(Header::value).toArray(String[]::new), 0, lines.size());
            }
        }
        out.writeEndObject();
    }

    private static void writeBody(JsonGenerator out, Body body) throws IOException {
        if (isText(body.bytes())) {
            out.writeFieldName("body");
            out.writeUTF8String(body.bytes(), 0, body.length());
        } else {
            out.writeBinaryField("body_base64", body.bytes());
        }
    }

    /// Whether it is UTF-8. Takes no room for what it reads.
    static boolean isText(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer from = ByteBuffer.wrap(bytes);
        CharBuffer to = CharBuffer.allocate(AT_ONCE);
        while (true) {
            CoderResult result = decoder.decode(from, to.clear(), true);
            if (!result.isOverflow()) {
                return result.isUnderflow();
            }
        }
    }
}

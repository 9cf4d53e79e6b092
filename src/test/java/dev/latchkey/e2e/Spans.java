package dev.latchkey.e2e;

import dev.latchkey.testing.Received;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/// Reads what a collector is sent: OTLP, protobuf, as far as these tests look.
final class Spans {

    /// @param parent empty: none
    /// @param kind 1 internal, 2 server, 3 client
    /// @param attributes as text
    record Span(String trace, String id, String parent, String state, String name, int kind,
            Map<String, String> attributes) {}

    private Spans() {}

    /// Every span of a request to the collector.
    static List<Span> in(Received request) {
        List<Span> spans = new ArrayList<>();
        for (Field resource : fields(body(request), 1)) {
            for (Field scope : fields(resource.bytes(), 2)) {
                fields(scope.bytes(), 2).forEach(span -> spans.add(span(span.bytes())));
            }
        }
        return spans;
    }

    private static ByteBuffer body(Received request) {
        if (!"gzip".equals(request.headers().first("Content-Encoding").orElse(""))) {
            return ByteBuffer.wrap(request.body());
        }
        try (GZIPInputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(request.body()))) {
            return ByteBuffer.wrap(in.readAllBytes());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Span span(ByteBuffer bytes) {
        Map<String, String> attributes = new LinkedHashMap<>();
        fields(bytes, 9).forEach(each -> attributes.put(text(each.bytes(), 1), value(each.bytes())));
        return new Span(
                hex(bytes, 1), hex(bytes, 2), hex(bytes, 4), text(bytes, 3), text(bytes, 5),
                (int) fields(bytes, 6).getFirst().number(), attributes);
    }

    private static String value(ByteBuffer attribute) {
        ByteBuffer value = fields(attribute, 2).getFirst().bytes();
        List<Field> all = fields(value);
        Field only = all.getFirst();
        return switch (only.tag()) {
            case 1 -> StandardCharsets.UTF_8.decode(only.bytes()).toString();
            case 2 -> Boolean.toString(only.number() == 1);
            default -> Long.toString(only.number());
        };
    }

    private record Field(int tag, long number, ByteBuffer payload) {
        ByteBuffer bytes() {
            return payload.duplicate();
        }
    }

    private static String hex(ByteBuffer message, int tag) {
        List<Field> found = fields(message, tag);
        if (found.isEmpty()) {
            return "";
        }
        ByteBuffer bytes = found.getFirst().bytes();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return HexFormat.of().formatHex(copy);
    }

    private static String text(ByteBuffer message, int tag) {
        List<Field> found = fields(message, tag);
        return found.isEmpty() ? "" : StandardCharsets.UTF_8.decode(found.getFirst().bytes()).toString();
    }

    private static List<Field> fields(ByteBuffer message, int tag) {
        return fields(message).stream().filter(field -> field.tag() == tag).toList();
    }

    private static List<Field> fields(ByteBuffer message) {
        ByteBuffer at = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        while (at.hasRemaining()) {
            long head = number(at);
            int tag = (int) (head >> 3);
            switch ((int) (head & 7)) {
                case 0 -> fields.add(new Field(tag, number(at), ByteBuffer.allocate(0)));
                case 1 -> fields.add(new Field(tag, at.getLong(), ByteBuffer.allocate(0)));
                case 5 -> fields.add(new Field(tag, at.getInt(), ByteBuffer.allocate(0)));
                default -> {
                    int length = (int) number(at);
                    fields.add(new Field(tag, 0, at.slice(at.position(), length)));
                    at.position(at.position() + length);
                }
            }
        }
        return fields;
    }

    private static long number(ByteBuffer at) {
        long number = 0;
        for (int shift = 0;; shift += 7) {
            byte next = at.get();
            number |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
    }
}

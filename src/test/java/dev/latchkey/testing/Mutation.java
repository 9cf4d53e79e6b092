package dev.latchkey.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Changes what is valid a little, here and there, as a seed says: bytes that differ, that are missing, that come twice or
/// a thousand times, and words that mean something where they do not belong.
public final class Mutation {

    private static final int MOST_CHANGES = 4;
    private static final int MOST_REPEATS = 3_000;

    private final Random random;
    private final List<byte[]> words;

    /// @param words that mean something in the language of what is changed, one character a byte
    public Mutation(Random random, String... words) {
        this.random = random;
        this.words = Arrays.stream(words).map(word -> word.getBytes(StandardCharsets.ISO_8859_1)).toList();
    }

    /// Unchanged once in a while.
    public byte[] of(byte[] valid) {
        byte[] bytes = valid;
        int changes = random.nextInt(MOST_CHANGES + 1);
        for (int i = 0; i < changes; i++) {
            bytes = changed(bytes);
        }
        return bytes;
    }

    /// One character a byte.
    public byte[] of(String valid) {
        return of(valid.getBytes(StandardCharsets.ISO_8859_1));
    }

    private byte[] changed(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + random.nextInt(12));
        return switch (random.nextInt(7)) {
            case 0 -> joined(bytes, from, new byte[] {(byte) random.nextInt(256)}, Math.min(bytes.length, from + 1));
            case 1 -> joined(bytes, from, words.get(random.nextInt(words.size())), from);
            case 2 -> joined(bytes, from, words.get(random.nextInt(words.size())), to);
            case 3 -> joined(bytes, from, new byte[0], to);
            case 4 -> joined(bytes, to, Arrays.copyOfRange(bytes, from, to), to);
            case 5 -> joined(bytes, from, repeated(Arrays.copyOfRange(bytes, from, to)), to);
            default -> Arrays.copyOf(bytes, from);
        };
    }

    private byte[] repeated(byte[] part) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = random.nextInt(MOST_REPEATS); i > 0; i--) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] joined(byte[] bytes, int until, byte[] middle, int from) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(bytes, 0, until);
        all.writeBytes(middle);
        all.write(bytes, from, bytes.length - from);
        return all.toByteArray();
    }
}

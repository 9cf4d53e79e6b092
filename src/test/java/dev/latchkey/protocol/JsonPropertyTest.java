package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random documents and random bytes against the promises of contract §4.
class JsonPropertyTest {

    @Test
    void everySpellingOfADocumentHasOneFingerprint() {
        Seeded.forAll(500, random -> {
            JsonTree tree = JsonTree.random(random, 5);
            String one = tree.spelled(random);
            String other = tree.spelled(random);
            assertThat(Fingerprints.json(one)).as("%s and %s", one, other).isEqualTo(Fingerprints.json(other));
        });
    }

    @Test
    void fingerprintsAreEqualExactlyWhenTheDocumentsAre() {
        Seeded.forAll(1000, random -> {
            JsonTree tree = JsonTree.random(random, 5);
            JsonTree changed = tree.changed(random);
            String one = tree.spelled(random);
            String other = changed.spelled(random);
            assertThat(Fingerprints.json(one).equals(Fingerprints.json(other)))
                    .as("%s and %s", one, other)
                    .isEqualTo(tree.equals(changed));
        });
    }

    @Test
    void aDocumentCutShortOrDisturbedNeverThrows() {
        Seeded.forAll(500, random -> {
            byte[] body = Fingerprints.utf8(JsonTree.random(random, 5).spelled(random));
            for (int i = random.nextInt(4); i > 0 && body.length > 0; i--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            Fingerprints.json(Arrays.copyOf(body, random.nextInt(body.length + 1)));
        });
    }

    @Test
    void randomBytesNeverThrow() {
        String[] types = {"application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=-",
            "text/plain", "", ";=\""};
        String[] codings = {"", "gzip", "deflate", "br"};
        Seeded.forAll(2000, random -> {
            Headers headers = Headers.of(
                    "Content-Type", random.nextInt(4) == 0 ? characters(random) : types[random.nextInt(types.length)],
                    "Content-Encoding", codings[random.nextInt(codings.length)]);
            byte[] body = bytes(random);
            assertThat(Fingerprint.of(Fingerprints.post(headers, body), Fingerprints.ignoring("/a/0"), 1000))
                    .isNotNull();
            assertThat(KeyTemplate.parse("k{/a/0}").render(Body.of(body))).isNotNull();
        });
    }

    @Test
    void anyTextOfCharactersIsReadAsAKeyOrRefusedInPrintableAscii() {
        Seeded.forAll(2000, random -> {
            switch (IdempotencyKey.parse(List.of((random.nextBoolean() ? "\"" : "") + characters(random)))) {
                case IdempotencyKey.Valid valid -> assertThat(IdempotencyKey.parse(List.of(valid.key().structured())))
                        .isEqualTo(valid);
                case IdempotencyKey.Invalid invalid ->
                        assertThat(invalid.reason().chars()).allMatch(c -> c >= 0x20 && c <= 0x7E);
                case IdempotencyKey.Missing _ -> {
                }
            }
        });
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(60)];
        String likely = "{}[]\":,01eE+-.\\u \r\n--=&%abcdtrufalsn";
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] =
                    (byte) (random.nextInt(5) == 0 ? random.nextInt() : likely.charAt(random.nextInt(likely.length())));
        }
        return bytes;
    }

    private static String characters(Random random) {
        String likely = "\"\\;=:?@%*/ \tabcAZ019-_.~!#,ü\u0001";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append(likely.charAt(random.nextInt(likely.length())));
        }
        return text.toString();
    }
}

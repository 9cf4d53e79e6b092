package dev.latchkey.config;

import static dev.latchkey.config.SettingsText.problems;
import static dev.latchkey.config.SettingsText.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `ledger.encryption`: what it says, what is wrong with it, and that no message shows a key.
class EncryptionTest {

    private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    private static final String OTHER = "/wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    private static String settings(String encryption) {
        return "ledger:\n  data-dir: d\n  encryption:\n    " + encryption + "\n";
    }

    @Test
    void nothingIsEncryptedByItself() throws SettingsException {
        assertThat(read("ledger: { data-dir: d }").ledger().encryption()).isEqualTo(EncryptionSettings.none());
    }

    @Test
    void keysComeInTheirOrder() throws SettingsException {
        EncryptionSettings read = read(settings(
                "{ keys: [{ id: \"2026-11\", key: \"" + KEY + "\" }, { id: old, key: \"" + OTHER
                        + "\" }], retired: [\"2024\"] }"))
                .ledger().encryption();

        assertThat(read.keys()).extracting(EncryptionKey::id).containsExactly("2026-11", "old");
        assertThat(read.keys().getFirst().bytes()).hasSize(32).startsWith(0, 1, 2);
        assertThat(read.retired()).containsExactly("2024");
        assertThat(read.toString()).doesNotContain(KEY, OTHER);
    }

    @Test
    void keyOfAFileIsTakenWithoutItsLineEnd(@TempDir Path folder) throws IOException, SettingsException {
        Path file = Files.writeString(folder.resolve("key"), OTHER + "\n");

        assertThat(read(settings("keys: [{ id: a, key: \"${file:" + file + "}\" }]")).ledger().encryption().keys())
                .singleElement().extracting(EncryptionKey::bytes)
                .isEqualTo(Base64.getDecoder().decode(OTHER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "c2hvcnQ=", KEY + KEY, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8 ", "''"})
    void anythingButThirtyTwoBytesIsNoKeyAndNeverShown(String key) {
        assertThat(problems(settings("keys: [{ id: a, key: \"" + key + "\" }]"))).singleElement().asString()
                .startsWith("latchkey.yaml:4: ledger.encryption.keys[0].key: this is not a key; write 32 random bytes")
                .doesNotContain(key.equals("''") ? "\"\"" : key);
    }

    @Test
    void everyMistakeIsReportedAtOnce() {
        assertThat(problems("""
                ledger:
                  data-dir: d
                  encryption:
                    keys:
                      - { id: a b, key: %s }
                      - { key: %s }
                      - { id: c, kee: x }
                """.formatted(KEY, OTHER)))
                .anySatisfy(it -> assertThat(it).startsWith("latchkey.yaml:5: ledger.encryption.keys[0].id: "))
                .anySatisfy(it -> assertThat(it).startsWith("latchkey.yaml:6: ledger.encryption.keys[1].id: "))
                .anySatisfy(it -> assertThat(it).startsWith("latchkey.yaml:7: ledger.encryption.keys[2].key: "))
                .anySatisfy(it -> assertThat(it).startsWith("latchkey.yaml:7: ledger.encryption.keys[2].kee: "))
                .hasSize(4);
    }

    @Test
    void twoKeysDifferInIdAndInThemselves() {
        assertThat(problems(settings("keys: [{ id: a, key: " + KEY + " }, { id: a, key: " + OTHER + " }]")))
                .singleElement().asString().contains("ledger.encryption.keys[1].id").contains("twice");
        assertThat(problems(settings("keys: [{ id: a, key: " + KEY + " }, { id: b, key: " + KEY + " }]")))
                .singleElement().asString().contains("ledger.encryption.keys[1].key").doesNotContain(KEY);
        assertThat(problems(settings("{ keys: [{ id: a, key: " + KEY + " }], retired: [a] }")))
                .singleElement().asString().contains("ledger.encryption.retired");
    }
}

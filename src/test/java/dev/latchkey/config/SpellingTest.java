package dev.latchkey.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A name goes into lines of a log, into tables and into digests.
class SpellingTest {

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", " a", "a ", "a\nb", "a\u0000", "a\u0085b", "a\u200bb", "a\u202eb", "a\u2028b", "a\u2029b", "a\ud800",
        "\udc00\ud800"
    })
    void nameThatALineOrADigestCouldChangeIsNone(String name) {
        assertThat(Spelling.name(name)).contains("is not a name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "müller & söhne", "https://login.example/a|b", "\ud83d\udd11"})
    void otherTextIsOne(String name) {
        assertThat(Spelling.name(name)).isNull();
    }
}

package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §4, `application/x-www-form-urlencoded`.
class FormFingerprintTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    @ParameterizedTest
    @CsvSource(delimiter = '≡', value = {
        "a=1&b=2      ≡ %61=%31&b=2",
        "a=x+y        ≡ a=x%20y",
        "a=%C3%A9     ≡ a=é",
        "a=%c3%a9     ≡ a=%C3%A9",
        "a            ≡ a=",
        "a=1&&b=2&    ≡ a=1&b=2",
        "a=b=c        ≡ a=b%3Dc",
    })
    void decodedPairsCount(String one, String other) {
        assertThat(Fingerprints.of(FORM, one)).isEqualTo(Fingerprints.of(FORM, other));
        assertThat(Fingerprints.of(FORM + "; charset=utf-8", one)).isEqualTo(Fingerprints.of(FORM, other));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '≠', value = {
        "a=1&b=2      ≠ b=2&a=1",
        "a=1          ≠ a=2",
        "a=1          ≠ A=1",
        "a=b          ≠ a%3Db",
        "a=1&b=2      ≠ a=1%26b=2",
        "a=1&b=2      ≠ a=1",
        "a=1&a=1      ≠ a=1",
        "a=x+y        ≠ a=x%2By",
        "ab=c         ≠ a=bc",
        "=a           ≠ a=",
        "a=%FF        ≠ a=%FE",
    })
    void orderNamesAndValuesCount(String one, String other) {
        assertThat(Fingerprints.of(FORM, one)).isNotEqualTo(Fingerprints.of(FORM, other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%4", "a=%zz", "%=1", "a=%4&b=1", "a=%4=1"})
    void aBadEscapeMakesTheBodyRaw(String body) {
        assertThat(Fingerprints.of(FORM, body + "&c=+")).isNotEqualTo(Fingerprints.of(FORM, body + "&c=%20"));
        assertThat(Fingerprints.of(FORM, body)).isNotEqualTo(Fingerprints.of(FORM, body.replace("%", "%25")));
    }
}

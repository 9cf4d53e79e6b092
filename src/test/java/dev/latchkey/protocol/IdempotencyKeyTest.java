package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    private static final String LONGEST = "k".repeat(255);

    @ParameterizedTest
    @CsvSource(delimiter = '→', quoteCharacter = '`', value = {
        "order-shipped:1001:2026-01-04   → order-shipped:1001:2026-01-04",
        "\"order-shipped:1001:2026-01-04\" → order-shipped:1001:2026-01-04",
        "\"with space\"                  → with space",
        "\"a \\\"quoted\\\" word\"       → a \"quoted\" word",
        "\"back\\\\slash\"               → back\\slash",
        "\"comma, semicolon;\"           → comma, semicolon;",
        "\"a\";q=1                       → a",
        "\"a\"; q=1;b                    → a",
        "\"a\";*x.y-z_1=tok/en:x         → a",
        "\"a\";q=-1.125                  → a",
        "\"a\";q=\"x\\\"y\"              → a",
        "\"a\";q=:aGk=:;r=?1;s=@17;t=%\"f%c3%bc\" → a",
        "?1                              → ?1",
        ":aGk=:                          → :aGk=:",
        "it's{fine}                      → it's{fine}",
        "`\t a \t`                       → a",
    })
    void bothFormsNameTheSameKey(String fieldLine, String key) {
        assertThat(parse(fieldLine)).isEqualTo(new IdempotencyKey.Valid(IdempotencyKey.of(key)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '→', quoteCharacter = '`', value = {
        "two words        → Character 4 is a space; a bare key holds",
        "a,b              → Character 2 is ','; a bare key",
        "a;q=1            → Character 2 is ';'; a bare key",
        "a\"b             → Character 2 is '\"'; a bare key",
        "a\\b             → Character 2 is '\\'; a bare key",
        "\"a\", \"b\"     → Character 4 is ','; one quoted key is allowed",
        "\"a\" ;q         → Character 5 is ';'; one quoted key is allowed",
        "\"a\"b           → Character 4 is 'b'; one quoted key is allowed",
        "\"\"             → The key is empty",
        "\"\";q           → The key is empty",
        "\"a              → The field ends after character 2; a quoted string ends with",
        "\"a\\            → The field ends after character 3; only \\\" and \\\\ are escapes",
        "\"a\\n\"         → Character 4 is 'n'; only \\\" and \\\\ are escapes",
        "\" a\"           → Character 1 is a space; a key does not begin with a space",
        "\"a \"           → Character 2 is a space; a key does not end with a space",
        "\"a\";Q          → Character 5 is 'Q'; a parameter's name",
        "\"a\";           → The field ends after character 4; a parameter's name",
        "\"a\";q=         → The field ends after character 6; a parameter's value",
        "\"a\";q=é        → Character 7 is the byte 0xE9, which is not ASCII; a parameter's value",
        "\"a\";q=1.       → The field ends after character 8; a number",
        "\"a\";q=1.2345   → The field ends after character 12; a number",
        "\"a\";q=1234567890123456 → The field ends after character 22; a number",
        "\"a\";q=?2       → Character 8 is '2'; a boolean",
        "\"a\";q=:a=      → The field ends after character 9; a byte sequence",
        "\"a\";q=:=:      → Character 8 is '='; a byte sequence",
        "\"a\";q=@1.5     → The field ends after character 10; a date",
        "\"a\";q=%\"%C3\" → Character 10 is 'C'; after % come two",
        "\"a\";q=%\"%c3\" → Character 9 is '%'; a display string encodes UTF-8",
    })
    void anythingElseIsInvalidAndSaysWhere(String fieldLine, String reason) {
        assertThat(parse(fieldLine)).isInstanceOfSatisfying(
                IdempotencyKey.Invalid.class, invalid -> assertThat(invalid.reason()).startsWith(reason));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\u001fb", "a\tb", "a\u007fb", "a\u0080b", "a\u00ffb", "a\u20acb", "\"a\nb\""})
    void controlAndForeignCharactersAreNamedAndNeverSentBack(String fieldLine) {
        assertThat(parse(fieldLine)).isInstanceOfSatisfying(IdempotencyKey.Invalid.class, invalid -> {
            assertThat(invalid.reason()).containsPattern("Character [23] is (the control character|the byte|U\\+)");
            assertThat(invalid.reason().chars()).allMatch(c -> c >= 0x20 && c <= 0x7E);
        });
    }

    @Test
    void everyPrintableCharacterIsAllowedInQuotes() {
        for (char c = 0x20; c <= 0x7E; c++) {
            IdempotencyKey key = IdempotencyKey.of("<" + c + ">");
            assertThat(parse(key.structured())).isEqualTo(new IdempotencyKey.Valid(key));
        }
    }

    @Test
    void bareKeysHoldEveryPrintableCharacterButFive() {
        for (char c = 0x20; c <= 0x7E; c++) {
            boolean allowed = " \"\\,;".indexOf(c) < 0;
            assertThat(parse("<" + c + ">") instanceof IdempotencyKey.Valid).as("'%s'", c).isEqualTo(allowed);
        }
    }

    @Test
    void aKeyHasAtMost255CharactersDecoded() {
        assertThat(parse(LONGEST)).isEqualTo(new IdempotencyKey.Valid(IdempotencyKey.of(LONGEST)));
        assertThat(parse("\"" + "\\\"".repeat(255) + "\"")).isInstanceOf(IdempotencyKey.Valid.class);
        assertThat(parse(LONGEST + "k"))
                .isEqualTo(new IdempotencyKey.Invalid("The key has 256 characters; 1 to 255 are allowed"));
        assertThat(parse("\"" + LONGEST + "k\"")).isInstanceOf(IdempotencyKey.Invalid.class);
    }

    @Test
    void noLineOrAnEmptyOneIsMissing() {
        assertThat(IdempotencyKey.parse(List.of())).isEqualTo(new IdempotencyKey.Missing());
        assertThat(parse("")).isEqualTo(new IdempotencyKey.Missing());
        assertThat(parse(" \t ")).isEqualTo(new IdempotencyKey.Missing());
    }

    @Test
    void twoLinesAreInvalidEvenIfTheySayTheSame() {
        assertThat(parse("a", "a"))
                .isEqualTo(new IdempotencyKey.Invalid("There are 2 Idempotency-Key lines; send one"));
        assertThat(parse("", "")).isInstanceOf(IdempotencyKey.Invalid.class);
    }

    @Test
    void keysCompareCharacterForCharacter() {
        assertThat(IdempotencyKey.of("a")).isEqualTo(IdempotencyKey.of("a")).hasSameHashCodeAs(IdempotencyKey.of("a"));
        assertThat(IdempotencyKey.of("a")).isNotEqualTo(IdempotencyKey.of("A"));
    }

    @Test
    void structuredFormEscapesQuoteAndBackslash() {
        assertThat(IdempotencyKey.of("a\"b\\c d").structured()).isEqualTo("\"a\\\"b\\\\c d\"");
    }

    @Test
    void keysDoNotShowThemselves() {
        assertThat(IdempotencyKey.of("secret").toString()).isEqualTo("key of 6 characters");
        assertThat(new IdempotencyKey.Valid(IdempotencyKey.of("secret")).toString()).doesNotContain("secret");
    }

    @Test
    void anInvalidTextIsNoKey() {
        assertThatThrownBy(() -> IdempotencyKey.of("a\nb"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Character 2 is the control character 0x0A");
    }

    private static IdempotencyKey.Parsed parse(String... fieldLines) {
        return IdempotencyKey.parse(Arrays.asList(fieldLines));
    }
}

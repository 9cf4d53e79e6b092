package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.http.Body;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTemplateTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "order-shipped:{/order_id}:{/run_date} | {\"run_date\":\"2026-01-04\",\"order_id\":1001} | order-shipped:1001:2026-01-04",
        "{/a}                | {\"a\":\"x\"}            | x",
        "{/a}{/a}            | {\"a\":\"x\"}            | xx",
        "a b,{/a}            | {\"a\":\"\\u0041 \\\"\"} | a b,A \"",
        "{/a/0/b}            | {\"a\":[{\"b\":7}]}      | 7",
        "{/1}                | [1,2]                    | 2",
        "{/}                 | {\"\":\"e\"}             | e",
        "{/a~1b}             | {\"a/b\":\"s\"}          | s",
        "k{/a}               | {\"a\":\"\"}             | k",
        "{/a}                | {\"a\":-12}              | -12",
        "{/a}                | {\"a\":-0}               | 0",
        "{/a}                | {\"a\":1e2}              | 100",
        "{/a}                | {\"a\":25.0}             | 25",
        "{/a}                | {\"a\":9007199254740993} | 9007199254740993",
    })
    void takesItsValuesFromTheBody(String template, String body, String key) {
        assertThat(render(template, body)).isEqualTo(new KeyTemplate.Rendered(IdempotencyKey.of(key)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{/a}:{/b}  | {\"a\":1}          | /b",
        "{/a}:{/b}  | {}                 | /a",
        "{/a/b}     | {\"a\":1}          | /a/b",
        "{/a/b}     | {\"a\":[{\"b\":1}]}| /a/b",
        "{/2}       | [1,2]              | /2",
        "{/a}       | 1                  | /a",
        "{/a}       | ``                 | /a",
    })
    void aValueThatIsNotThereIsMissing(String template, String body, String pointer) {
        assertThat(render(template, body)).isEqualTo(new KeyTemplate.Missing(JsonPointer.parse(pointer)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{/a}:{/b} | {\"a\":1,\"b\":null}     | /b | true, false or null",
        "{/a}      | {\"a\":true}             | /a | true, false or null",
        "{/a}      | {\"a\":{}}               | /a | An object or array",
        "{/a}      | {\"a\":{\"b\":1}}        | /a | An object or array",
        "{/a}      | {\"a\":[1]}              | /a | An object or array",
        "{/a}      | {\"a\":1.5}              | /a | A number with a fraction",
        "{/a}      | {\"a\":1e-1}             | /a | A number with a fraction",
        "{/a}      | {\"a\":1e255}            | /a | An integer of more than 255 digits",
        "{/a}      | {\"a\":1e999999999999}   | /a | An integer of more than 255 digits",
        "{/a}:{/b} | {\"a\":1,\"b\":\"xé\"}   | /b | A string stands there in which character 2",
        "{/a}:{/b} | {\"a\":1,\"b\":\"\\n\"}  | /b | A string stands there in which character 1",
        "{/a}      | {\"a\":\"\"}             | /a | `Together with the rest: The key is empty`",
        "{/a}      | {\"a\":\" x\"}           | /a | `Together with the rest: Character 1 is a space`",
        "{/a}      | {\"a\":1                 | /a | The body is not strictly valid JSON",
        "{/a}      | {\"a\":1,\"a\":1}        | /a | The body is not strictly valid JSON",
        "{/a}      | a=1                      | /a | The body is not strictly valid JSON",
    })
    void whatMakesNoKeyIsInvalidAndNamesThePointer(String template, String body, String pointer, String reason) {
        assertThat(render(template, body)).isInstanceOfSatisfying(KeyTemplate.Invalid.class, invalid -> {
            assertThat(invalid.pointer()).hasToString(pointer);
            assertThat(invalid.reason()).startsWith(reason);
        });
    }

    @Test
    void aKeyThatGetsTooLongIsInvalid() {
        String body = "{\"a\":\"" + "x".repeat(255) + "\"}";
        assertThat(render("{/a}", body)).isInstanceOf(KeyTemplate.Rendered.class);
        assertThat(render("k{/a}", body)).isInstanceOf(KeyTemplate.Invalid.class);
        assertThat(render("{/a}", body.replace("\"}", "x\"}"))).isInstanceOf(KeyTemplate.Invalid.class);
        assertThat(render("{/a}", "{\"a\":1e254}"))
                .isEqualTo(new KeyTemplate.Rendered(IdempotencyKey.of("1" + "0".repeat(254))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "constant     | name one by a JSON pointer in braces",
        "``           | a key template takes no value from the body",
        "a{/b         | character 2 of a key template is '{' without a '}' after it",
        "a}{/b}       | character 2 of a key template is '}' without a '{' before it",
        "{/b}}        | character 5 of a key template is '}'",
        "a{}          | character 2 of a key template opens an empty pair of braces",
        "a{b}         | `in the braces at character 2, a JSON pointer begins with '/'`",
        "{/a~2}       | `in the braces at character 1, character 3 of a JSON pointer is '~' without 0 or 1`",
        "ü{/a}        | character 1 of a key template is not printable ASCII",
    })
    void aWrongTemplateIsRefusedWithItsPlace(String template, String message) {
        assertThatThrownBy(() -> KeyTemplate.parse(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void templatesCompareByTheirText() {
        assertThat(KeyTemplate.parse("k{/a}")).isEqualTo(KeyTemplate.parse("k{/a}")).hasToString("k{/a}")
                .hasSameHashCodeAs(KeyTemplate.parse("k{/a}")).isNotEqualTo(KeyTemplate.parse("k{/b}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/a", "/a/b", "/a~1b/m~0n", "//", "/é"})
    void pointersReadBackAsTheyWereWritten(String pointer) {
        assertThat(JsonPointer.parse(pointer)).hasToString(pointer);
    }

    @Test
    void pointersAreUnescapedOnce() {
        assertThat(JsonPointer.parse("/~01/~10").tokens()).containsExactly("~1", "/0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "/~", "/~2", "/a~"})
    void otherTextsAreNoPointers(String text) {
        assertThatThrownBy(() -> JsonPointer.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static KeyTemplate.Rendering render(String template, String body) {
        return KeyTemplate.parse(template).render(Body.ofUtf8(body));
    }
}

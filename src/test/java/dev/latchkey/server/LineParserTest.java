package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineParserTest {

    private final LineParser parser = new LineParser(1_000);

    private Request parse(String line) {
        return parser.parse(Body.ofUtf8(line));
    }

    private Refusing refused(Body line) {
        return catchThrowableOfType(Refusing.class, () -> parser.parse(line));
    }

    private void assertRefused(String line, Problem problem, String detail) {
        Refusing refusing = refused(Body.ofUtf8(line));
        assertThat(refusing).as(line).isNotNull();
        assertThat(refusing.refusal().problem()).isEqualTo(problem);
        assertThat(refusing.refusal().detail()).contains(detail);
    }

    @Test
    void lineWithAPathIsAPostWithoutABody() {
        assertThat(parse("{\"path\": \"/a\"}"))
                .isEqualTo(new Request("POST", "/a", null, Headers.empty(), Body.empty()));
    }

    @Test
    void everyMemberCounts() {
        Request request =
                parse("""
                        {"headers": {"X-A": "b", "X-C": ["d", " e "], "X-None": []}, "body": "text \\u00e9\\n", "key": "k \\"1\\"",
                         "path": "/a%20b?c=/?d", "method": "DELETE"}"""
                        .replace("\n", " "));
        assertThat(request.method()).isEqualTo("DELETE");
        assertThat(request.path()).isEqualTo("/a%20b");
        assertThat(request.query()).isEqualTo("c=/?d");
        assertThat(request.headers().lines()).containsExactly(
                new Header("X-A", "b"), new Header("X-C", "d"), new Header("X-C", "e"),
                new Header("Idempotency-Key", "\"k \\\"1\\\"\""));
        assertThat(request.body().utf8()).isEqualTo("text é\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "25.50", "9007199254740993", "-0", "1e999999999", "true", "false", "null", "{}", "[]",
        "{ \"a\" : [1.10,\t{\"b\":\"}\"} , \"\\u00e9\\\"]\"] }", "[[[]]]", "{\"a\":1,\"a\":2}", "0.1000",
        "{\"é\":\"ü\"}"})
    void jsonBodyIsSentAsItStands(String value) {
        for (String form : List.of(
                "{\"path\":\"/a\",\"body\":%s}", "{\"body\" : %s ,\"path\":\"/a\"}",
                "\t{ \"body\":\t%s\t, \"path\": \"/a\" } \r")) {
            Request request = parse(form.formatted(value));
            assertThat(request.body().utf8()).isEqualTo(value);
            assertThat(request.headers().lines()).containsExactly(new Header("Content-Type", "application/json"));
        }
    }

    @Test
    void numberOfAnyLengthIsSentAsItStands() {
        String digits = "1".repeat(5_000);
        assertThat(parse("{\"path\":\"/a\",\"body\":" + digits + "}").body().utf8()).isEqualTo(digits);
    }

    @Test
    void mediaTypeThatIsNamedHolds() {
        Request request = parse("{\"path\":\"/a\",\"body\":{},\"headers\":{\"content-type\":\"application/x+json\"}}");
        assertThat(request.headers().all("Content-Type")).containsExactly("application/x+json");
        assertThat(parse("{\"path\":\"/a\",\"body\":\"{}\"}").headers().lines()).isEmpty();
    }

    @Test
    void bodyInBase64IsItsBytes() {
        assertThat(parse("{\"path\":\"/a\",\"body_base64\":\"AAH/\"}").body().bytes()).containsExactly(0, 1, -1);
        assertRefused("{\"path\":\"/a\",\"body_base64\":\"AA*\"}", Problem.REQUEST_INVALID, "no Base64".substring(3));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "` `                                       | must be a JSON object",
        "[]                                        | must be a JSON object",
        "\"x\"                                     | must be a JSON object",
        "{\"path\":\"/a\"                          | not strict JSON",
        "{\"path\":\"/a\"}{}                       | follows the JSON object",
        "{\"path\":\"/a\"} x                       | not strict JSON",
        "{'path':'/a'}                             | not strict JSON",
        "{\"path\":\"/a\",}                        | not strict JSON",
        "{\"path\":\"/a\",\"body\":01}             | not strict JSON",
        "{\"path\":\"/a\",\"body\":NaN}            | not strict JSON",
        "{}                                        | no path",
        "{\"path\":null}                           | path must be a string",
        "{\"path\":\"/a\",\"key\":null}            | key must be a string",
        "{\"path\":\"/a\",\"key\":7}               | key must be a string",
        "{\"path\":\"/a\",\"path\":\"/b\"}         | a member twice (path)",
        "{\"path\":\"/a\",\"bodi\":1}              | an unknown member (bodi). Allowed: method",
        "{\"path\":\"/a\",\"b i\":1}               | an unknown member. Allowed",
        "{\"path\":\"/a\",\"body\":1,\"body_base64\":\"\"} | both body and body_base64",
        "{\"path\":\"/a\",\"body\":\"\\ud800\"}    | surrogate",
        "{\"path\":\"/a\",\"headers\":[]}          | headers must be an object",
        "{\"path\":\"/a\",\"headers\":{\"a b\":\"\"}} | a name that is none",
        "{\"path\":\"/a\",\"headers\":{\"\":\"\"}} | a name that is none",
        "{\"path\":\"/a\",\"headers\":{\"a\\r\\nb\":\"\"}} | a name that is none",
        "{\"path\":\"/a\",\"headers\":{\"A\":\"x\\r\\nB: y\"}} | control character, or one past ISO-8859-1 (A)",
        "{\"path\":\"/a\",\"headers\":{\"A\":\"\\u0000\"}} | control character",
        "{\"path\":\"/a\",\"headers\":{\"A\":\"\\u0100\"}} | past ISO-8859-1",
        "{\"path\":\"/a\",\"headers\":{\"A\":1}}   | neither a string nor an array",
        "{\"path\":\"/a\",\"headers\":{\"A\":[[\"x\"]]}} | neither a string nor an array",
        "{\"path\":\"/a\",\"headers\":{\"A\":\"x\",\"a\":\"y\"}} | a name twice (a)",
        "{\"path\":\"/a\",\"headers\":{\"Content-Length\":\"5\"}} | has content-length",
        "{\"path\":\"/a\",\"headers\":{\"Transfer-Encoding\":\"chunked\"}} | has transfer-encoding",
        "{\"path\":\"/a\",\"headers\":{\"HOST\":\"x\"}} | has host",
        "{\"path\":\"/a\",\"headers\":{\"connection\":\"close\"}} | has connection",
    })
    void whatIsNoLineIsRefusedWithTheReason(String line, String detail) {
        assertRefused(line == null ? "" : line, Problem.REQUEST_INVALID, detail);
    }

    @Test
    void lineIsUtf8WithoutNulAndNotTooDeep() {
        byte[] latin = "{\"path\":\"/a\",\"body\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(refused(Body.of(latin)).refusal().detail()).contains("not UTF-8");
        assertRefused("{\u0000\"path\":\"/a\"}", Problem.REQUEST_INVALID, "not strict JSON");
        assertRefused("\uFEFF{\"path\":\"/a\"}", Problem.REQUEST_INVALID, "not strict JSON");
        assertThat(parse("{\"path\":\"/a\",\"body\":" + "[".repeat(998) + "]".repeat(998) + "}").body().length())
                .isEqualTo(1_996);
        assertRefused("{\"path\":\"/a\",\"body\":" + "[".repeat(100_000), Problem.REQUEST_INVALID, "1000 deep");
    }

    @Test
    void keyIsReadByTheRulesOfKeysAndMayStandAmongTheHeaders() {
        assertRefused("{\"path\":\"/a\",\"key\":\"\"}", Problem.KEY_MISSING, "empty");
        assertRefused("{\"path\":\"/a\",\"key\":\"é\"}", Problem.KEY_INVALID, "Character 1");
        assertRefused("{\"path\":\"/a\",\"key\":\" a\"}", Problem.KEY_INVALID, "Character 1");
        String same = "{\"path\":\"/a\",\"key\":\"a\",\"headers\":{\"Idempotency-Key\":\"%s\"}}";
        for (String form : List.of("a", "\\\"a\\\"")) {
            assertThat(parse(same.formatted(form)).headers().all("Idempotency-Key")).containsExactly("\"a\"");
        }
        assertRefused(same.formatted("b"), Problem.KEY_INVALID, "another");
        assertThat(parse("{\"path\":\"/a\",\"headers\":{\"idempotency-key\":\"b\"}}").headers().all("Idempotency-Key"))
                .containsExactly("b");
    }

    @Test
    void pathHasNoFragmentAndFieldsHaveABound() {
        assertRefused("{\"path\":\"/a#b\"}", Problem.PATH_INVALID, "number sign");
        assertRefused("{\"path\":\"/" + "a".repeat(1_000) + "\"}", Problem.HEADER_FIELDS_TOO_LARGE, "1000");
        assertRefused("{\"path\":\"/a\",\"headers\":{\"A\":\"" + "a".repeat(1_000) + "\"}}",
                Problem.HEADER_FIELDS_TOO_LARGE, "1000");
    }

    @Test
    void nothingThatWasSentIsQuoted() {
        for (String line : List.of("{\"path\":\"canary\u0001\"}", "canary", "{\"path\":1,\"canary \":2}")) {
            assertThat(refused(Body.ofUtf8(line)).refusal().detail()).doesNotContain("canary");
        }
    }
}

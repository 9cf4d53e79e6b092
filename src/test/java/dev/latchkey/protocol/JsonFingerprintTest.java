package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §4, JSON: what is the same, what is not, and what is taken byte for byte.
class JsonFingerprintTest {

    @ParameterizedTest
    @CsvSource(delimiter = '≡', quoteCharacter = '`', value = {
        "{\"a\":1,\"b\":2}              ≡ {\"b\":2,\"a\":1}",
        "{\"a\":1}                      ≡ ` {\t\"a\" \r\n: 1 } `",
        "{\"a\":{\"y\":[],\"x\":{}},\"b\":[{\"q\":1,\"p\":2}]} ≡ {\"b\":[{\"p\":2,\"q\":1}],\"a\":{\"x\":{},\"y\":[]}}",
        "\"é\"                          ≡ \"\\u00e9\"",
        "\"é\"                          ≡ \"\\u00E9\"",
        "{\"é\":1}                      ≡ {\"\\u00e9\":1}",
        "\"😀\"                         ≡ \"\\ud83d\\uDE00\"",
        "\"/\"                          ≡ \"\\/\"",
        "\"\\b\\f\\n\\r\\t\\\"\\\\\"    ≡ \"\\u0008\\u000c\\u000a\\u000d\\u0009\\u0022\\u005c\"",
        "\"A\"                          ≡ \"\\u0041\"",
        "25.50                          ≡ 25.5",
        "25.50                          ≡ 2.55e1",
        "25.50                          ≡ 255E-1",
        "25.50                          ≡ 0.00255e+4",
        "25.50                          ≡ 255000e-00004",
        "100                            ≡ 1e2",
        "100                            ≡ 100.000",
        "0.001                          ≡ 1e-3",
        "0                              ≡ -0",
        "0                              ≡ 0.0",
        "0                              ≡ 0e5",
        "0                              ≡ -0.00e-999999999999999999999999",
        "1e999999999                    ≡ 0.1e1000000000",
        "1e999999999999999999999999     ≡ 10e999999999999999999999998",
        "1e-999999999999999999999999    ≡ 0.01e-999999999999999999999997",
        "1e100000000000000000           ≡ 10e99999999999999999",
        "1e-100000000000000000          ≡ 0.1e-99999999999999999",
        "1e000000000000000000000000001  ≡ 10",
        "-12.5                          ≡ -1.25e1",
        "9007199254740993               ≡ 9007199254740993.0",
    })
    void theseAreTheSame(String one, String other) {
        assertThat(Fingerprints.json(one)).isEqualTo(Fingerprints.json(other));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '≠', quoteCharacter = '`', value = {
        "9007199254740993   ≠ 9007199254740992",
        "0.1                ≠ 0.1000000000000000055511151231257827",
        "1e999999999        ≠ 1e999999998",
        "1e400              ≠ 1e401",
        "1e-400             ≠ 0",
        "1                  ≠ -1",
        "1                  ≠ 10",
        "12                 ≠ 1.2",
        "1e1                ≠ 1e-1",
        "1e999999999999999999999999 ≠ 1e-999999999999999999999999",
        "1                  ≠ \"1\"",
        "1                  ≠ true",
        "0                  ≠ false",
        "0                  ≠ null",
        "\"\"               ≠ null",
        "null               ≠ false",
        "[]                 ≠ {}",
        "[]                 ≠ null",
        "[null]             ≠ []",
        "{\"a\":null}       ≠ {}",
        "{\"a\":1}          ≠ {\"A\":1}",
        "{\"a\":1}          ≠ {\"a\":2}",
        "{\"a\":1,\"b\":2}  ≠ {\"a\":2,\"b\":1}",
        "{\"a\":{\"b\":1}}  ≠ {\"a\":{},\"b\":1}",
        "{\"a\":\"b\"}      ≠ {\"a\":[\"b\"]}",
        "[{},\"x\",1]       ≠ [{\"}sx\":1}]",
        "[1,2]              ≠ [2,1]",
        "[1,2]              ≠ [12]",
        "[[1],2]            ≠ [[1,2]]",
        "[\"a\",\"b\"]      ≠ [\"ab\"]",
        "\"é\"              ≠ \"e\u0301\"",
        "\"a\"              ≠ \"a\\u0000\"",
        "\"\\ud83d\"        ≠ \"\\ufffd\"",
        "\"\\ud83d\"        ≠ \"\\ude00\"",
        "\"\\ud83d\"        ≠ \"?\"",
        "\"\\ud83d\\ude00\" ≠ \"\\ude00\\ud83d\"",
    })
    void theseAreNot(String one, String other) {
        assertThat(Fingerprints.json(one)).isNotEqualTo(Fingerprints.json(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":1}", "{\"a\":1,\"b\":2,\"a\":3}",
        "[{\"x\":{\"a\":1,\"c\":1,\"b\":1,\"a\":1}}]", "{\"\":1,\"\":1}", "{a:1}", "{'a':1}", "[1,]", "{\"a\":1,}",
        "[,1]",
        "[1 2]", "{\"a\" 1}", "{\"a\"}", "{1:2}", "[", "]", "{", "{\"a\":", "1 2", "01", "-01", "-", "+1", ".5", "1.",
        "1.e1", "1e", "1e+", "0x10", "NaN", "Infinity", "tru", "truex", "nul", "True", "\"", "\"\\x\"", "\"\\u12\"",
        "\"\\u12g4\"", "\"\\", "\"\\u", "\"a\tb\"", "\"\u0000\"", "// c\n1", "1/**/", "\ufeff1", "\u00a01", "1\u000b",
        "[1]]"})
    void whatIsNotStrictlyValidCountsByteForByte(String body) {
        assertThat(Fingerprints.json(body)).isNotEqualTo(Fingerprints.json(body + " "));
        assertThat(Fingerprints.json(body)).isEqualTo(Fingerprints.json(body));
    }

    @Test
    void bytesThatAreNotUtf8CountAsTheyAre() {
        for (String latin1 : List.of("\u00e9", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00f5\u0080\u0080\u0080",
                "\u00f4\u0090\u0080\u0080", "\u00e0\u0080\u0080", "\u00f0\u0080\u0080\u0080", "\u0080", "\u00ff",
                "\u00e2\u0082")) {
            byte[] body = ("\"" + latin1 + "\"").getBytes(StandardCharsets.ISO_8859_1);
            byte[] spaced = (" \"" + latin1 + "\"").getBytes(StandardCharsets.ISO_8859_1);
            assertThat(Fingerprints.json(body)).isNotEqualTo(Fingerprints.json(spaced));
        }
    }

    @Test
    void anEmptyJsonBodyIsNoJsonButAnEmptyBody() {
        assertThat(Fingerprints.json("")).isEqualTo(Fingerprints.json("")).isNotEqualTo(Fingerprints.json(" "));
    }

    @Test
    void nestingTo500IsJsonAndPastItRawBytes() {
        for (String[] pair : new String[][] {{"[", "]"}, {"{\"a\":", "}"}}) {
            String deepest = pair[0].repeat(500) + "1" + pair[1].repeat(500);
            assertThat(Fingerprints.json(deepest)).isEqualTo(Fingerprints.json(deepest + " "));
            String deeper = pair[0] + deepest + pair[1];
            assertThat(Fingerprints.json(deeper)).isNotEqualTo(Fingerprints.json(deeper + " "));
        }
    }

    @Test
    void theLengthOfANumberOrNameNeverMakesItRaw() {
        String digits = "7".repeat(400_000);
        assertThat(Fingerprints.json(digits + ".0")).isEqualTo(Fingerprints.json(digits));
        assertThat(Fingerprints.json("1e" + digits))
                .isEqualTo(Fingerprints.json("10.0e" + digits.replaceFirst("7$", "6")));
        assertThat(Fingerprints.json("{\"" + digits + "\": 1}")).isEqualTo(Fingerprints.json("{\"" + digits + "\":1}"));
    }

    @Test
    void anExponentCarriesThroughAllItsDigits() {
        String nines = "9".repeat(100_000);
        String zeros = "0".repeat(100_000);
        assertThat(Fingerprints.json("10e" + nines)).isEqualTo(Fingerprints.json("1e1" + zeros));
        assertThat(Fingerprints.json("0.1e-" + nines)).isEqualTo(Fingerprints.json("1e-1" + zeros));
    }

    @Test
    void aRawBodyNeverCollidesWithTheFormOfAReadOne() {
        CanonicalJson.Form form =
                CanonicalJson.of(Fingerprints.utf8("{\"a\":1}"), PointerTree.of(List.of())).orElseThrow();
        assertThat(Fingerprints.json(form.bytes().toBytes())).isNotEqualTo(Fingerprints.json("{\"a\":1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"", "application/json ; x=y", "application/json;"})
    void jsonWithoutCharsetOrInUtf8IsTheSame(String type) {
        assertThat(Fingerprints.of(type, "{ \"a\": 1 }")).isEqualTo(Fingerprints.json("{\"a\":1.0}"));
        assertThat(Fingerprints.of(type, "{")).isEqualTo(Fingerprints.json("{"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/merge-patch+json", "application/vnd.api+json; charset=utf-8", "image/x+JSON"})
    void everySuffixJsonIsReadAsJsonAndStaysATypeOfItsOwn(String type) {
        assertThat(Fingerprints.of(type, "{ \"a\": 1 }"))
                .isEqualTo(Fingerprints.of(type, "{\"a\":1}"))
                .isNotEqualTo(Fingerprints.json("{\"a\":1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json; charset=utf-16", "application/json; charset=iso-8859-1", "text/json",
        "application/jsonx", "application/json; charset=utf-8; charset=utf-8", "application/json, application/json"})
    void otherCharsetsAndTypesAreRaw(String type) {
        assertThat(Fingerprints.of(type, "{ \"a\": 1 }")).isNotEqualTo(Fingerprints.of(type, "{\"a\":1}"));
    }

    @Test
    void ignoredMembersDoNotCount() {
        String without = "{\"amount\":1}";
        String with = "{\"requested_at\":\"2026-01-04\",\"amount\":1}";
        assertThat(Fingerprints.jsonWithout(with, "/requested_at"))
                .isEqualTo(Fingerprints.jsonWithout(without, "/requested_at"))
                .isEqualTo(Fingerprints.jsonWithout("{\"amount\":1,\"requested_at\":[{}]}", "/requested_at"))
                .isEqualTo(Fingerprints.json(without))
                .isNotEqualTo(Fingerprints.json(with));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "/a/b      | {\"a\":{\"b\":1,\"c\":2}}     | {\"a\":{\"c\":2}}",
        "/a/b      | {\"a\":{\"b\":1}}             | {\"a\":{}}",
        "/a/b      | {\"a\":[{\"b\":1}]}           | {\"a\":[{\"b\":1.0}]}",
        "/0        | [1,2]                         | [2]",
        "/1/x      | [{\"x\":1},{\"x\":2}]         | [{\"x\":1},{}]",
        "/a/1      | {\"a\":[1,2,3]}               | {\"a\":[1,3]}",
        "/0        | {\"0\":1,\"1\":2}             | {\"1\":2}",
        "/         | {\"\":1,\"a\":2}              | {\"a\":2}",
        "/a~1b     | {\"a/b\":1}                   | {}",
        "/m~0n     | {\"m~n\":1}                   | {}",
        "/~01      | {\"~1\":1}                    | {}",
        "/é        | {\"\\u00e9\":1,\"e\":2}       | {\"e\":2}",
        "/01       | [1,2]                         | [1,2.0]",
        "/-        | [1,2]                         | [1,2.0]",
        "/a/b/c    | {\"a\":1}                     | {\"a\":1.0}",
    })
    void pointersLeaveOut(String pointer, String body, String same) {
        assertThat(Fingerprints.jsonWithout(body, pointer)).isEqualTo(Fingerprints.json(same));
    }

    @Test
    void manyPointersLeaveOutManyMembers() {
        assertThat(Fingerprints.jsonWithout("{\"z\":1,\"a\":{\"x\":1,\"y\":2,\"w\":3},\"b\":2}", "/a/x", "/z", "/a/y",
                "/b", "/b/c"))
                .isEqualTo(Fingerprints.json("{\"a\":{\"w\":3}}"));
    }

    @Test
    void anIgnoredMemberMustStillBeStrictlyValidAndComeOnce() {
        assertThat(Fingerprints.jsonWithout("{\"a\":1,\"b\":2,\"a\":3}", "/a"))
                .isNotEqualTo(Fingerprints.jsonWithout("{\"b\":2}", "/a"));
        assertThat(Fingerprints.jsonWithout("{\"a\":{\"x\":1,\"x\":2},\"b\":2}", "/a"))
                .isNotEqualTo(Fingerprints.jsonWithout("{\"b\":2}", "/a"));
        String deep = "{\"a\":" + "[".repeat(500) + "]".repeat(500) + "}";
        assertThat(Fingerprints.jsonWithout(deep, "/a")).isNotEqualTo(Fingerprints.jsonWithout("{}", "/a"));
    }

    @Test
    void ignoringChangesNothingInARawBody() {
        assertThat(Fingerprints.jsonWithout("{\"a\":1", "/a")).isEqualTo(Fingerprints.json("{\"a\":1"));
    }

    @Test
    void leavingOutTheWholeBodyIsRefused() {
        assertThatThrownBy(() -> Fingerprints.ignoring("/a", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the whole body");
    }

    @Test
    void objectsOfAnySizeCompareByMeaning() {
        for (int count = 1; count < 80; count++) {
            List<String> members =
                    IntStream.range(0, count).mapToObj(i -> "\"m" + i + "\":" + i).toList();
            String up = String.join(",", members);
            String down = String.join(".0 , ", members.reversed());
            String ascending = "{\"x\":[{" + up + "},1]}";
            String descending = "{\"x\":[{" + down + ".0},1]}";
            assertThat(Fingerprints.json(ascending)).isEqualTo(Fingerprints.json(descending));
            assertThat(Fingerprints.json(ascending))
                    .isNotEqualTo(Fingerprints.json(ascending.replace("m0\":0", "m0\":5")));
        }
    }
}

package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/", "/a", "/a/", "/a/b", "/a%20b", "/%252e%252e/a", "/a;x=1/b", "/...", "/.a", "/a..b", "/a:b@c",
                "/a+b",
                "/%E2%82%AC", "/%2e%2ea", "/~a|b"
            })
    void aPathWithOneMeaningMayPass(String path) {
        assertThat(PathRules.wrongIn(path)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/.., dots",
        "/a/../b, dots",
        "/a/%2e%2E/b, dots",
        "/a/.%2e, dots",
        "/a/%2e, dots",
        "/a/..;/b, dots",
        "/a/..;x=y, dots",
        "/a/%2e%2e%3b/b, dots",
        "/a%2fb, encoded slash",
        "/a%2Fb, encoded slash",
        "/a%5cb, encoded backslash",
        "/a\\b, backslash",
        "/a%00, NUL",
        "//, empty",
        "/a//b, empty",
        "/a/;x/b, empty",
        "/a/;, empty",
        "/a%, percent",
        "/a%2, percent",
        "/a%g0, percent",
        "/a%u0041, percent",
        "'/a b', ASCII",
        "/\u00e9, ASCII",
        "/a\u007f, ASCII",
        "a, slash",
        "'', slash"
    })
    void aPathThatSomebodyCouldReadAsAnotherMayNot(String path, String why) {
        assertThat(PathRules.wrongIn(path)).hasValueSatisfying(wrong -> assertThat(wrong).contains(why));
    }
}

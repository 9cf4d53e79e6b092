package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BaseUrlTest {

    @ParameterizedTest
    @CsvSource({
        "http://a, a, 80, a",
        "http://a:80/, a, 80, a",
        "http://a:8080, a, 8080, a:8080",
        "https://a, a, 443, a",
        "https://a:80, a, 80, a:80",
        "HTTPS://A.example/x, A.example, 443, A.example",
        "http://127.0.0.1:1, 127.0.0.1, 1, 127.0.0.1:1",
        "http://[::1]:81/x, ::1, 81, [::1]:81",
        "http://[::1], ::1, 80, [::1]"
    })
    void hostPortAndAuthorityAreTakenApart(String url, String host, int port, String authority) {
        BaseUrl base = BaseUrl.of(URI.create(url));

        assertThat(base.host()).isEqualTo(host);
        assertThat(base.port()).isEqualTo(port);
        assertThat(base.authority()).isEqualTo(authority);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ftp://a", "a", "/a", "http:///x", "http://u:p@a", "http://a?q", "http://a#f", "mailto:a@b",
                "https:a"})
    void whatIsNoDownstreamsUrlIsRefused(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> BaseUrl.of(URI.create(url)));
    }

    @Test
    void escapesStayAsTheyAre() {
        BaseUrl base = BaseUrl.of(URI.create("http://a/v%2f1/"));

        assertThat(base.target("/%41?", "%zz")).isEqualTo("/v%2f1/%41??%zz");
    }
}

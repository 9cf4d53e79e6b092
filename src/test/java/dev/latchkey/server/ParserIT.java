package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the HTTP parser refuses before any of our handlers is asked.
class ParserIT {

    private static final RunningServer SERVER = new RunningServer(Clients.open(), NoLedger.make());

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /mail HTTP/1.1|Host: x|Host: y||",
                "POST /mail HTTP/1.1|Content-Length: 0||",
                "POST /mail HTTP/1.1|Host: x|Content-Length: 3|Content-Length: 4||abc",
                "POST /mail HTTP/1.1|Host: x|Content-Length: 3|Transfer-Encoding: chunked||0||",
                "POST /mail HTTP/1.1|Host: x|Content-Length: -1||",
                "POST /mail HTTP/1.1|Host: x|Transfer-Encoding: gzip||",
                "POST /mail HTTP/1.1|Host: x|Connection: close|Transfer-Encoding: gzip, chunked||3|abc|0||",
                "POST /mail HTTP/1.1|Host: x|Connection: close|Transfer-Encoding: x|Transfer-Encoding: chunked||0||",
                "POST /mail HTTP/1.1|Host: x|Bad Name: y||",
                "POST /mail HTTP/1.1|Host: x|Folded: y| z||",
                "POST /mail HTTP/1.1|Host: x|Nul: a\u0000b||",
                "POST /mail HTTP/9.9|Host: x||",
                "POST mail HTTP/1.1|Host: x||",
                "POST /mail HTTP/1.1|Host: x|Expect: something-else|Content-Length: 0||",
                "POST http://other/mail HTTP/1.1|Host: x||",
                "POST /mail?x=\u00e9 HTTP/1.1|Host: x|Content-Length: 0|Connection: close||",
                "POST /mail HTTP/1.1|Host: x|Transfer-Encoding: chunked||zz|abc|0||"
            })
    void whatIsNotHttpIsRefusedAsAProblem(String request) throws IOException {
        RawClient.Raw raw = SERVER.client.sendRaw(request.replace("|", "\r\n"));
        assertThat(raw.status()).as(raw.text()).isEqualTo(400);
        assertThat(raw.first("Content-Type")).isEqualTo("application/problem+json");
        assertThat(raw.first("Cache-Control")).isEqualTo("no-store");
        assertThat(raw.text())
                .contains("/problems/request-invalid", "\"forwarded\":\"maybe\"", "\"retry_same_key\":false")
                .doesNotContain("jetty", "Jetty");
        assertThat(SERVER.nothingCameThrough()).isTrue();
    }

    @Test
    void targetAndHeaderFieldsCountTogether() throws IOException {
        RawClient.Raw target = SERVER.client.sendRaw(
                "GET /mail/" + "x".repeat(9_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
        RawClient.Raw field = SERVER.client.sendRaw(
                "GET /mail HTTP/1.1\r\nHost: x\r\nLarge: " + "x".repeat(9_000) + "\r\n\r\n");
        for (RawClient.Raw raw : new RawClient.Raw[] {target, field}) {
            assertThat(raw.status()).isEqualTo(431);
            assertThat(raw.text()).contains("/problems/header-fields-too-large");
        }
    }
}

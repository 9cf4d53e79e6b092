package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Headers;
import dev.latchkey.telemetry.Trace;
import dev.latchkey.telemetry.Traces;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a forward's header fields are made of (contract §10).
class ForwardHeadersTest {

    private static final Origin ORIGIN = new Origin("https", "pay.example:8443", "192.0.2.7", "1.1");
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final Traces traces = Traces.unsent(() -> 0, () -> 0x1234L);

    @Test
    void endToEndFieldsPassAndTheHopsOwnDoNot() {
        Headers made = make(
                "Content-Type", "application/json", "X-Mine", "1", "Connection", "keep-alive, X-Hop", "X-Hop", "2",
                "TE",
                "trailers", "Upgrade", "h2c", "Keep-Alive", "timeout=5", "Transfer-Encoding", "chunked",
                "Content-Length", "2",
                "Expect", "100-continue", "Host", "here", "Proxy-Authorization", "Basic x");
        assertThat(made.first("Content-Type")).contains("application/json");
        assertThat(made.first("X-Mine")).contains("1");
        for (String gone : new String[] {
            "Connection", "X-Hop", "TE", "Upgrade", "Keep-Alive", "Transfer-Encoding", "Content-Length", "Expect",
            "Host",
            "Proxy-Authorization"
        }) {
            assertThat(made.has(gone)).as(gone).isFalse();
        }
    }

    @Test
    void callersCredentialsStayHere() {
        Headers made = make("Authorization", "Bearer a", "Cookie", "b", "Latchkey-Token", "c", "Idempotency-Key", "d");
        assertThat(made.has("Authorization")).isFalse();
        assertThat(made.has("Cookie")).isFalse();
        assertThat(made.has("Latchkey-Token")).isFalse();
        assertThat(made.has("Idempotency-Key")).isFalse();
    }

    @Test
    void routesOwnFieldsReplaceTheCallers() {
        Headers own = Headers.of("Authorization", "Bearer route", "X-Mine", "route");
        Headers made = make(Headers.of("X-Mine", "caller"), own, "Idempotency-Key", "k");
        assertThat(made.all("X-Mine")).containsExactly("route");
        assertThat(made.all("Authorization")).containsExactly("Bearer route");
    }

    @Test
    void downstreamKeyReplacesWhateverTheCallerSentUnderItsName() {
        Headers made =
                make(Headers.of("PayPal-Request-Id", "mine"), Headers.empty(), "PayPal-Request-Id", "k");
        assertThat(made.all("PayPal-Request-Id")).containsExactly("k");
    }

    @Test
    void forwardingFieldsAreAppendedTo() {
        Headers made = make("X-Forwarded-For", "10.0.0.1", "Forwarded", "for=10.0.0.1", "Via", "1.1 edge");
        assertThat(made.all("X-Forwarded-For")).containsExactly("10.0.0.1, 192.0.2.7");
        assertThat(made.all("Forwarded"))
                .containsExactly("for=10.0.0.1, for=192.0.2.7;host=\"pay.example:8443\";proto=https");
        assertThat(made.all("Via")).containsExactly("1.1 edge", "1.1 latchkey");
        assertThat(made.all("X-Forwarded-Proto")).containsExactly("https");
        assertThat(made.all("X-Forwarded-Host")).containsExactly("pay.example:8443");
    }

    @Test
    void traceGoesOnWithAChild() {
        Headers made = make("traceparent", PARENT, "tracestate", "a=b");
        assertThat(made.all("traceparent")).containsExactly("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000001234-01");
        assertThat(made.all("tracestate")).containsExactly("a=b");
    }

    @Test
    void withoutAValidParentANewTraceBegins() {
        for (String wrong : new String[] {
            "x", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", PARENT.replaceFirst("00", "ff"),
            PARENT + "-x"
        }) {
            Headers made = make("traceparent", wrong, "tracestate", "a=b");
            assertThat(made.all("traceparent")).as(wrong)
                    .containsExactly("00-00000000000012340000000000001234-0000000000001234-01");
            assertThat(made.has("tracestate")).isFalse();
        }
    }

    @Test
    void encodingIsIdentity() {
        assertThat(make("Accept-Encoding", "gzip").all("Accept-Encoding")).containsExactly("identity");
    }

    private Headers make(String... asked) {
        return make(Headers.of(asked), Headers.empty(), "Idempotency-Key", null);
    }

    private Headers make(Headers asked, Headers own, String keyHeader, @Nullable String key) {
        Trace trace = traces.begin(asked, "POST", true);
        return ForwardHeaders.make(
                asked, ORIGIN, own, keyHeader, key, trace, trace.beginForward("payments", "POST").traceparent());
    }
}

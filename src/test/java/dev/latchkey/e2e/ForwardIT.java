package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §10: what goes downstream.
@EndToEnd
final class ForwardIT {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    private final World world;
    private final Replica gateway;
    private final RawDownstream downstream;

    ForwardIT(World world) {
        this.world = world;
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @Test
    void bodyAndEndToEndFieldsGoAsTheyCame() {
        byte[] body = new byte[256];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) i;
        }
        try (RawCall call = RawCall.to(gateway)) {
            call.send(
                    "PATCH", "/payments/fields-out?x=1", "Authorization: Bearer " + ALICE.token(),
                    "Idempotency-Key: " + Canary.key(), "Content-Type: x/y", "X-Twice: 1", "X-Twice: 2",
                    "X-Bytes: caf\u00e9", "Accept: a/b", "Accept-Encoding: gzip", "TE: trailers",
                    "Keep-Alive: timeout=1", "Proxy-Authorization: Basic eDp5", "Upgrade: h2c",
                    "Connection: X-Hop, upgrade", "X-Hop: 1", "Content-Length: 256")
                    .write(body)
                    .answer();
        }
        Received sent = downstream.receivedAt("/pay/fields-out").getFirst();
        assertThat(sent.method()).isEqualTo("PATCH");
        assertThat(sent.target()).isEqualTo("/pay/fields-out?x=1");
        assertThat(sent.body()).isEqualTo(body);
        assertThat(sent.headers().all("X-Twice")).containsExactly("1", "2");
        assertThat(sent.headers().all("X-Bytes")).containsExactly("caf\u00e9");
        assertThat(sent.headers().all("Content-Type")).containsExactly("x/y");
        assertThat(sent.headers().all("Accept")).containsExactly("a/b");
        assertThat(sent.headers().all("Accept-Encoding")).containsExactly("identity");
        assertThat(sent.headers().all("Host")).containsExactly("127.0.0.1:" + downstream.port());
        for (String hop : List.of("X-Hop", "TE", "Keep-Alive", "Upgrade", "Proxy-Authorization")) {
            assertThat(sent.headers().has(hop)).as(hop).isFalse();
        }
    }

    @Test
    void forwardSaysWhereItComesFrom() {
        gateway.keyed(ALICE, Canary.key())
                .header("Forwarded", "for=192.0.2.1")
                .header("X-Forwarded-For", "192.0.2.1")
                .header("Via", "1.1 edge")
                .body("{}")
                .post("/payments/from");
        Received sent = downstream.receivedAt("/pay/from").getFirst();
        assertThat(String.join(", ", sent.headers().all("Forwarded"))).startsWith("for=192.0.2.1,")
                .contains("127.0.0.1");
        assertThat(String.join(", ", sent.headers().all("X-Forwarded-For"))).isEqualTo("192.0.2.1, 127.0.0.1");
        assertThat(sent.header("X-Forwarded-Proto")).isEqualTo("http");
        assertThat(sent.header("X-Forwarded-Host")).isNotBlank();
        assertThat(String.join(", ", sent.headers().all("Via"))).startsWith("1.1 edge, 1.1 ");
    }

    @Test
    void traceIsContinuedByAChild() {
        gateway.keyed(ALICE, Canary.key())
                .header("traceparent", "00-" + TRACE + "-" + SPAN + "-01")
                .header("tracestate", "a=b")
                .body("{}")
                .post("/payments/trace");
        Received sent = downstream.receivedAt("/pay/trace").getFirst();
        assertThat(sent.header("traceparent")).matches("00-" + TRACE + "-(?!" + SPAN + ")[0-9a-f]{16}-01");
        assertThat(sent.header("tracestate")).isEqualTo("a=b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rubbish", "00-00000000000000000000000000000000-b7ad6b7169203331-01", "ff-x"})
    void traceThatIsNotValidBeginsANewOne(String parent) {
        String path = "/payments/new-trace-" + parent.hashCode();
        gateway.keyed(ALICE, Canary.key()).header("traceparent", parent).body("{}").post(path);
        Received sent = downstream.receivedAt("/pay" + path.substring("/payments".length())).getFirst();
        assertThat(sent.headers().all("traceparent")).hasSize(1);
        assertThat(sent.header("traceparent"))
                .matches("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]")
                .doesNotContain(TRACE);
    }

    @Test
    void downstreamKeyIsDerivedFromClientAndKey() {
        String key = Canary.key();
        gateway.keyed(ALICE, key).body("{}").post("/payments/derived-key");
        gateway.keyed(BOB, key).body("{}").post("/payments/derived-key");
        List<Received> sent = downstream.receivedAt("/pay/derived-key");
        assertThat(sent).hasSize(2).allSatisfy(r -> assertThat(UUID.fromString(r.key()).toString()).isEqualTo(r.key()));
        assertThat(sent).extracting(Received::key).doesNotHaveDuplicates();
        String shown = gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath()
                .getString("downstream_key");
        assertThat(shown).isEqualTo(sent.getFirst().key());
    }

    @Test
    void downstreamKeyIsTheSameFromEveryReplica() {
        String key = Canary.key();
        downstream.at("/pay/same-key", dev.latchkey.testing.Step.reply(429));
        gateway.keyed(ALICE, key).body("{}").post("/payments/same-key");
        world.secondReplica().keyed(ALICE, key).body("{}").post("/payments/same-key");
        List<Received> sent = downstream.receivedAt("/pay/same-key");
        assertThat(sent).hasSize(2).extracting(Received::key).containsOnly(sent.getFirst().key());
    }

    @Test
    void routeMaySendTheKeyAsSentQuotedUnderAnotherName() {
        String key = Canary.key();
        gateway.keyed(ALICE, key).body("{}").post("/quoted/x");
        Received sent = downstream.receivedAt("/quoted/x").getFirst();
        assertThat(sent.headers().all("X-Request-Key")).containsExactly('"' + key + '"');
        assertThat(sent.headers().has("Idempotency-Key")).isFalse();
    }

    @Test
    void routeMaySendNoKey() {
        String key = Canary.key();
        gateway.keyed(ALICE, key).body("{}").post("/unkeyed/x");
        assertThat(downstream.receivedAt("/unkeyed/x").getFirst().headers().has("Idempotency-Key")).isFalse();
        assertThat(gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath()
                .getString("downstream_key"))
                .isNull();
    }
}

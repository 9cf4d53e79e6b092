package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Reply;
import dev.latchkey.testing.Step;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/// Contract §7: a replay is the response, byte for byte, with the header fields that belong to it.
@EndToEnd
final class ReplayIT {

    private static final int MIB = 1 << 20;

    private final World world;
    private final Replica gateway;
    private final RawDownstream downstream;

    ReplayIT(World world) {
        this.world = world;
        gateway = world.gateway();
        downstream = world.downstream();
    }

    static final List<Arguments> BODIES = List.of(
            Arguments.of("empty 200", Step.reply(200)),
            Arguments.of("204", Step.reply(204)),
            Arguments.of("304", Step.reply(304).header("ETag", "\"v1\"")),
            Arguments.of("all byte values",
                    Step.reply(200).header("Content-Type", "application/octet-stream").body(allBytes())),
            Arguments.of("1 MiB", Step.reply(201).header("Content-Type", "image/x").body(random(MIB))),
            Arguments.of("chunked", Step.reply(200).header("Content-Type", "image/x").body(random(10_000)).inChunks()),
            Arguments.of("no media type", Step.reply(200).body("untyped")));

    @ParameterizedTest(name = "{0}")
    @FieldSource("BODIES")
    void bodyComesBackByteForByte(String name, Reply reply) {
        String path = "/replay-" + name.replace(' ', '-');
        downstream.at("/pay" + path, reply);
        String key = Canary.key();
        Exchange fresh = RawCall.post(gateway, "/payments" + path, ALICE, key, new byte[0]);
        assertThat(fresh.status()).isEqualTo(reply.status());
        assertThat(fresh.body()).isEqualTo(Body.of(reply.body()));
        assertThat(fresh.headers().first("Idempotent-Replayed")).contains("false");
        for (Replica replica : List.of(gateway, world.secondReplica())) {
            Exchange again = RawCall.post(replica, "/payments" + path, ALICE, key, new byte[0]);
            assertThat(again.status()).isEqualTo(reply.status());
            assertThat(again.body()).isEqualTo(Body.of(reply.body()));
            assertThat(again.headers().first("Idempotent-Replayed")).contains("true");
            assertThat(again.headers().all("Content-Type")).isEqualTo(reply.headers().all("Content-Type"));
            assertThat(again.headers().all("ETag")).isEqualTo(reply.headers().all("ETag"));
        }
        assertThat(downstream.receivedAt("/pay" + path)).hasSize(1);
    }

    private static final List<Header> REPLAYED = List.of(
            new Header("Content-Type", "text/plain; charset=ISO-8859-1"),
            new Header("Content-Language", "fr"),
            new Header("Content-Disposition", "attachment; filename=\"caf\u00e9.txt\""),
            new Header("Location", "/pay/1"),
            new Header("Content-Location", "/pay/1?view"),
            new Header("ETag", "W/\"1\""),
            new Header("Last-Modified", "Sun, 04 Jan 2026 09:00:00 GMT"),
            new Header("Link", "</a>; rel=next"),
            new Header("Link", "</b>; rel=prev"),
            new Header("X-Replay-Me", "as the route says \u00ff"));

    private static final List<Header> NOT_REPLAYED = List.of(
            new Header("Set-Cookie", "a=1"),
            new Header("Set-Cookie", "b=2"),
            new Header("Age", "7"),
            new Header("Via", "1.1 inner"),
            new Header("Retry-After", "9"),
            new Header("RateLimit", "\"x\";r=1"),
            new Header("X-RateLimit-Remaining", "1"),
            new Header("Server-Timing", "db;dur=1"),
            new Header("X-Request-Id", "abc"),
            new Header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
            new Header("X-Other", "not named by the route"));

    @Test
    void replayHasTheHeaderFieldsThatBelongToTheResponse() {
        Reply reply = Step.reply(200).body("x").header("Connection", "X-Hop").header("X-Hop", "1");
        for (Header line : REPLAYED) {
            reply = reply.header(line.name(), line.value());
        }
        for (Header line : NOT_REPLAYED) {
            reply = reply.header(line.name(), line.value());
        }
        downstream.at("/pay/fields", reply);
        String key = Canary.key();
        Exchange fresh = RawCall.post(gateway, "/payments/fields", ALICE, key, new byte[0]);
        assertThat(fresh.headers().lines()).containsAll(REPLAYED);
        assertThat(fresh.headers().all("Set-Cookie")).containsExactly("a=1", "b=2");
        assertThat(fresh.headers().first("X-Other")).contains("not named by the route");
        assertThat(fresh.headers().has("X-Hop")).isFalse();
        for (Replica replica : List.of(gateway, world.secondReplica())) {
            Exchange again = RawCall.post(replica, "/payments/fields", ALICE, key, new byte[0]);
            assertThat(again.headers().lines()).containsAll(REPLAYED);
            assertThat(again.headers().all("Link")).containsExactly("</a>; rel=next", "</b>; rel=prev");
            for (Header line : NOT_REPLAYED) {
                assertThat(again.headers().first(line.name())).as(line.name()).isEmpty();
            }
            assertThat(again.headers().has("X-Hop")).isFalse();
        }
    }

    @Test
    void replaySaysSinceWhenAndUntilWhen() {
        String key = Canary.key();
        Exchange fresh = RawCall.post(gateway, "/payments/when", ALICE, key, new byte[0]);
        assertThat(fresh.headers().first("Idempotency-Expires")).isPresent();
        Exchange again = RawCall.post(gateway, "/payments/when", ALICE, key, new byte[0]);
        assertThat(again.headers().first("Idempotency-Expires"))
                .isEqualTo(fresh.headers().first("Idempotency-Expires"));
        assertThat(again.headers().first("Idempotency-Recorded-At").orElse("")).endsWith(" GMT");
        assertThat(again.headers().all("Date")).hasSize(1);
        assertThat(again.headers().all("Idempotency-Key")).containsExactly('"' + key + '"');
    }

    @Test
    void codingTowardsTheCallerIsItsOwnBusiness() throws IOException {
        String text = "{\"text\":\"" + "again and ".repeat(2_000).toUpperCase(Locale.ROOT) + "\"}";
        downstream.at("/pay/coding", Step.json(200, text));
        String key = Canary.key();
        for (String coding : new String[] {"gzip", "identity", "gzip"}) {
            try (RawCall call = RawCall.to(gateway)) {
                Exchange answer = call.send(
                        "POST", "/payments/coding", "Authorization: Bearer " + ALICE.token(),
                        "Idempotency-Key: " + key, "Accept-Encoding: " + coding, "Content-Length: 0")
                        .answer();
                boolean zipped = answer.headers().first("Content-Encoding").orElse("").equals("gzip");
                assertThat(zipped && coding.equals("identity")).isFalse();
                assertThat(zipped ? gunzip(answer.body().bytes()) : answer.text()).isEqualTo(text);
            }
        }
        assertThat(downstream.receivedAt("/pay/coding")).hasSize(1);
        assertThat(downstream.receivedAt("/pay/coding").getFirst().header("Accept-Encoding")).isEqualTo("identity");
    }

    private static String gunzip(byte[] bytes) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] allBytes() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}

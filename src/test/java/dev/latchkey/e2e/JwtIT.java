package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.Tokens;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/// Clients whose name an issuer vouches for.
@EndToEnd
final class JwtIT {

    private static final String ISSUER = "https://login.example";

    private final World world;

    JwtIT(World world) {
        this.world = world;
    }

    private static String settings(World world, String keys) {
        return "jwt: { issuer: \"" + ISSUER + "\", audience: latchkey, " + keys + " }\n"
                + world.settings().replace(
                        "clients:\n",
                        "clients:\n  - { name: jobs, jwt: true, formerly: [old-jobs], routes: [payments] }\n")
                        .replace("management: { port: 0 }",
                                "management: { port: 0 }\noperators: [{ name: ann, jwt: true }]");
    }

    private static RequestSpecification by(Replica gateway, String token, String key) {
        return gateway.open().header("Authorization", "Bearer " + token).header("Idempotency-Key", key)
                .contentType("application/json").body("{}");
    }

    @Test
    void issuersKeysRotateAndItMayBeAway() throws IOException {
        Tokens before = Tokens.of(ISSUER, "before");
        Tokens after = Tokens.of(ISSUER, "after");
        RawDownstream issuer = RawDownstream.start();
        issuer.always("/keys", Step.reply(200).body(before.keySet()));
        try (Replica gateway = world.start(settings(world, "jwks-url: \"" + issuer.url() + "/keys\""))) {
            String key = Canary.key();
            Expect.fresh(by(gateway, before.token("someone"), key).post("/payments/jwt"), 201);
            Expect.replayed(by(gateway, before.token("someone"), key).post("/payments/jwt"), 201);
            Expect.fresh(by(gateway, before.token("another"), key).post("/payments/jwt"), 201);
            issuer.always("/keys", Step.reply(200).body(after.keySet()));
            await().until(() -> by(gateway, after.token("someone"), key).post("/payments/jwt").statusCode() == 201);
            // Not so soon after the last look: the issuer may have brought it back.
            await().untilAsserted(() -> Expect.refused(
                    by(gateway, before.token("someone"), key).post("/payments/jwt"), 401, "unauthenticated"));
            issuer.close();
            Expect.replayed(by(gateway, after.token("someone"), key).post("/payments/jwt"), 201);
            await().until(() -> by(gateway, Tokens.of(ISSUER, "third").token("someone"), key)
                    .post("/payments/jwt").statusCode() == 503);
            Expect.replayed(by(gateway, after.token("someone"), key).post("/payments/jwt"), 201);
        }
    }

    @Test
    void coldStartWithoutTheIssuerIsNotTheTokensFault() {
        String nobody = "jwks-url: \"http://127.0.0.1:" + Settings.REFUSING_PORT + "/keys\"";
        try (Replica gateway = world.start(settings(world, nobody))) {
            Response answer = by(gateway, Tokens.of(ISSUER, "k").token("someone"), Canary.key()).post("/payments/jwt");
            assertThat(Expect.refusedForNow(answer, 503, "overloaded").getString("detail")).contains("issuer's keys");
            Expect.fresh(gateway.keyed(Client.ALICE, Canary.key()).body("{}").post("/payments/jwt"), 201);
        }
    }

    @Test
    void namesOfTheListAreTakenOnlyWhereItSaysSo() throws IOException {
        Tokens tokens = Tokens.of(ISSUER, "file");
        Path file = Files.createTempFile(world.folder(), "keys", ".json");
        Files.writeString(file, tokens.keySet());
        try (Replica gateway = world.start(settings(world, "jwks-file: \"" + file + "\""))) {
            Expect.fresh(by(gateway, tokens.token("jobs"), Canary.key()).post("/payments/jwt"), 201);
            Expect.refused(by(gateway, tokens.token("jobs"), Canary.key()).post("/strict/jwt"), 403, "route-forbidden");
            for (String name : new String[] {Client.ALICE.wireName(), "old-jobs", "", " ", "a\nb", "a\u2028b",
                "x".repeat(201)}) {
                Expect.refused(
                        by(gateway, tokens.token(name), Canary.key()).post("/payments/jwt"), 401, "unauthenticated");
            }
            Expect.refused(
                    by(gateway, tokens.token(tokens.claims("x").claim("sub", 7).build()), Canary.key())
                            .post("/payments/jwt"),
                    401, "unauthenticated");
            String basic = Base64.getEncoder()
                    .encodeToString(("any:" + tokens.token("jobs")).getBytes(StandardCharsets.US_ASCII));
            Expect.fresh(
                    gateway.open().header("Authorization", "Basic " + basic).header("Idempotency-Key", Canary.key())
                            .body("{}").post("/payments/jwt"),
                    201);
            assertThat(gateway.management().header("Authorization", "Bearer " + tokens.token("ann"))
                    .get("/operator/entries").statusCode()).isEqualTo(200);
            assertThat(gateway.management().header("Authorization", "Bearer " + tokens.token("jobs"))
                    .get("/operator/entries").statusCode()).isEqualTo(401);
            Tokens next = Tokens.of(ISSUER, "next");
            Files.writeString(file, "broken");
            Expect.fresh(by(gateway, tokens.token("jobs"), Canary.key()).post("/payments/jwt"), 201);
            Files.writeString(file, next.keySet());
            Expect.fresh(by(gateway, next.token("jobs"), Canary.key()).post("/payments/jwt"), 201);
            Expect.refused(
                    by(gateway, tokens.token("jobs"), Canary.key()).post("/payments/jwt"), 401, "unauthenticated");
        }
    }
}

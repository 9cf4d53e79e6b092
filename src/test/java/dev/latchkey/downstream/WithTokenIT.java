package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.FixedClocks;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Access tokens: had once for many, before the last is over, and without one nothing is sent.
class WithTokenIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private Harness harness;
    private RawDownstream server;
    private WithToken client;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
        server = RawDownstream.start();
        client = client(false, TIMEOUT);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
        harness.close();
    }

    private WithToken client(boolean inBody, Duration timeout) {
        URI url = URI.create(server.url() + "/oauth/token");
        return new WithToken(
                "payments", harness.client(harness.downstream.url(), false),
                new StrictClient(Harness.settings(url, 2, true), harness.watchdog, harness.clocks),
                new Grant("id +", () -> "canary-credential:&", inBody, "pay read", "https://api", timeout),
                harness.clocks);
    }

    private static Step token(String value, int seconds) {
        return Step.json(200, "{\"access_token\":\"" + value + "\",\"token_type\":\"Bearer\",\"expires_in\":" + seconds
                + "}");
    }

    private Outcome send() {
        return client.send(Harness.post("/a"), harness.open(), Harness.PATIENCE, new Harness.Spill());
    }

    private List<String> tokensSeen() {
        return harness.downstream.receivedAt("/a").stream().map(it -> it.header("Authorization")).toList();
    }

    @Test
    void tokenGoesAlongAndIsUsedAgain() {
        server.next(token("t-1", 3600));

        assertThat(send()).isInstanceOf(Outcome.Answered.class);
        assertThat(send()).isInstanceOf(Outcome.Answered.class);

        assertThat(tokensSeen()).containsExactly("Bearer t-1", "Bearer t-1");
        assertThat(server.received()).singleElement().satisfies(it -> {
            assertThat(it.method() + " " + it.target()).isEqualTo("POST /oauth/token");
            assertThat(it.header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
            // RFC 6749 §2.3.1: both halves are form-encoded first.
            assertThat(it.header("Authorization")).isEqualTo("Basic aWQrJTJCOmNhbmFyeS1jcmVkZW50aWFsJTNBJTI2");
            assertThat(it.text())
                    .isEqualTo("grant_type=client_credentials&scope=pay+read&audience=https%3A%2F%2Fapi");
        });
    }

    @Test
    void idAndSecretGoInTheBodyWhereTheServerWantsThat() {
        server.next(token("t-1", 3600));
        try (WithToken other = client(true, TIMEOUT)) {
            other.send(Harness.post("/a"), harness.open(), Harness.PATIENCE, new Harness.Spill());
        }
        assertThat(server.received()).singleElement().satisfies(it -> {
            assertThat(it.header("Authorization")).isEmpty();
            assertThat(it.text()).endsWith("&client_id=id+%2B&client_secret=canary-credential%3A%26");
        });
    }

    @Test
    void manyAtOnceWaitForOneRequest() throws Exception {
        Gate gate = new Gate();
        server.next(gate.before(token("t-1", 3600)));
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                outcomes.add(callers.submit(this::send));
            }
            gate.awaitReached();
            gate.open();
            for (Future<Outcome> each : outcomes) {
                assertThat(each.get()).isInstanceOf(Outcome.Answered.class);
            }
        }
        assertThat(server.received()).hasSize(1);
        assertThat(tokensSeen()).hasSize(20).containsOnly("Bearer t-1");
    }

    @Test
    void tokenIsRenewedBesideTheCallsBeforeItIsOver() {
        server.next(token("t-1", 100), token("t-2", 100));
        send();
        harness.clocks.forward(Duration.ofSeconds(80));

        send();
        await().until(() -> server.received().size() == 2);
        await().untilAsserted(() -> {
            send();
            assertThat(tokensSeen()).last().isEqualTo("Bearer t-2");
        });
        assertThat(tokensSeen()).startsWith("Bearer t-1", "Bearer t-1");
    }

    @Test
    void tokenThatIsNearlyOverIsNotUsed() {
        server.next(token("t-1", 100), token("t-2", 100));
        send();
        harness.clocks.forward(Duration.ofSeconds(95));
        send();

        assertThat(tokensSeen()).containsExactly("Bearer t-1", "Bearer t-2");
    }

    @Test
    void unauthorizedIsAnsweredAsItCameAndTheNextForwardGetsAnotherToken() {
        server.next(token("t-1", 3600), token("t-2", 3600));
        harness.downstream.at("/a", Step.json(401, "{}"));

        assertThat(send()).isInstanceOfSatisfying(
                Outcome.Answered.class, it -> assertThat(it.status()).isEqualTo(401));
        assertThat(tokensSeen()).containsExactly("Bearer t-1");
        assertThat(send()).isInstanceOfSatisfying(
                Outcome.Answered.class, it -> assertThat(it.status()).isEqualTo(201));
        assertThat(tokensSeen()).containsExactly("Bearer t-1", "Bearer t-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "401 {\"error\":\"canary\"}", "500 canary", "302 {}", "200 canary", "200 {}",
        "200 {\"access_token\":\"canary\"}", "200 {\"access_token\":\"canary\",\"token_type\":\"mac\"}",
        "200 {\"access_token\":\"canary\\r\\nX: y\",\"token_type\":\"bearer\"}",
        "200 {\"access_token\":\"\",\"token_type\":\"bearer\"}"
    })
    void withoutATokenNothingIsSentAndNothingOfTheAnswerIsTold(String answer) {
        server.next(Step.json(Integer.parseInt(answer.substring(0, 3)), answer.substring(4)));

        assertThat(send()).isInstanceOfSatisfying(
                Outcome.NotSent.class,
                it -> assertThat(it.reason()).startsWith("no token: ").doesNotContain("canary", "credential"));
        assertThat(harness.downstream.received()).isEmpty();
    }

    @Test
    void tokenServerThatIsAwayOrSilentSentNothing() throws IOException {
        server.next(Step.reset());
        assertThat(send()).isEqualTo(new Outcome.NotSent("no token: the token server did not answer"));

        server.next(Step.hang());
        try (WithToken hasty = client(false, Duration.ofMillis(300))) {
            assertThat(hasty.send(Harness.post("/a"), harness.open(), Harness.PATIENCE, new Harness.Spill()))
                    .isInstanceOf(Outcome.NotSent.class);
        }
        server.close();
        harness.clocks.forward(Duration.ofSeconds(2));
        assertThat(send()).isEqualTo(new Outcome.NotSent("no token: connection refused (token server)"));
        assertThat(harness.downstream.received()).isEmpty();
    }

    @Test
    void failureIsToldForASecondBeforeAnybodyAsksAgain() throws Exception {
        FixedClocks clocks = new FixedClocks();
        AtomicInteger asked = new AtomicInteger();
        Tokens tokens = new Tokens(() -> {
            asked.incrementAndGet();
            throw new NothingSent("none");
        }, clocks);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> tokens.get(TIMEOUT)).isInstanceOf(NothingSent.class).hasMessage("none");
        }
        assertThat(asked).hasValue(1);
        clocks.forward(Duration.ofSeconds(1));
        assertThatThrownBy(() -> tokens.get(TIMEOUT)).isInstanceOf(NothingSent.class);
        assertThat(asked).hasValue(2);
    }

    @Test
    void nothingSecretIsShown() {
        assertThat(new Grant("id", () -> "canary", true, null, null, TIMEOUT)).hasToString("(hidden)");
        assertThat(new Token("canary", 0, TIMEOUT)).hasToString("(hidden)");
    }
}

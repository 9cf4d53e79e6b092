package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.testing.Said;
import io.javalin.config.RoutesConfig;
import io.javalin.json.JavalinJackson;
import io.javalin.json.JsonMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import kotlin.Lazy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What Javalin does by itself, and may not: what all requests share is made by two of them at once, and what fails is
/// answered without a word.
class ListenerIT {

    @RegisterExtension
    private final Said said = Said.by(TellingRouter.class);

    @Test
    void whatAllRequestsShareIsMadeByOneOfThem() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicInteger met = new AtomicInteger();
        try (Listener listener = listener(routes -> sharing(routes, () -> {
            try {
                together.await(500, TimeUnit.MILLISECONDS);
                met.incrementAndGet();
            } catch (InterruptedException | BrokenBarrierException | TimeoutException _) {
                // Nobody else makes it.
            }
            return new JavalinJackson();
        })); ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<RawClient.Raw>> answers = callers.invokeAll(List.of(
                    () -> get(listener, "/fine"), () -> get(listener, "/fine"), () -> get(listener, "/fine")));
            for (Future<RawClient.Raw> answer : answers) {
                assertThat(answer.get().status()).isEqualTo(204);
            }
        }
        assertThat(met).hasValue(0);
    }

    /// The first one goes in alone, and not longer than it must; who waited for it keeps nobody waiting either.
    @Test
    void theFirstRequestKeepsNobodyWaiting() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        try (Listener listener = listener(routes -> routes.get("/meeting", context -> {
            together.await(10, TimeUnit.SECONDS);
            context.status(204);
        })); ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<RawClient.Raw>> answers = callers.invokeAll(
                    Collections.nCopies(3, () -> get(listener, "/meeting")));
            for (Future<RawClient.Raw> answer : answers) {
                assertThat(answer.get().status()).isEqualTo(204);
            }
        }
    }

    @Test
    void aFailureBeforeAnyHandlerIsToldAndAProblem() throws IOException {
        AtomicInteger made = new AtomicInteger();
        try (Listener listener = listener(routes -> sharing(routes, () -> {
            if (made.incrementAndGet() == 1) {
                throw new IllegalStateException("half made");
            }
            return new JavalinJackson();
        }))) {
            toldAsAProblem(get(listener, "/fine"), "java.lang.IllegalStateException");
            assertThat(get(listener, "/fine").status()).isEqualTo(204);
        }
    }

    @Test
    void aFailureOfAHandlerIsToldAndAProblem() throws IOException {
        try (Listener listener = listener(routes -> {
            routes.get("/exception", _ -> {
                throw new IllegalStateException("an exception");
            });
            routes.get("/error", _ -> {
                throw new StackOverflowError("an error");
            });
        })) {
            toldAsAProblem(get(listener, "/exception"), "java.lang.IllegalStateException");
            toldAsAProblem(get(listener, "/error"), "java.lang.StackOverflowError");
        }
    }

    private void toldAsAProblem(RawClient.Raw answer, String kind) {
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.first("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.text()).contains("/problems/internal-error");
        assertThat(said.lines().removeFirst().getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("event=failed", "failure=" + kind);
        assertThat(said.lines()).isEmpty();
    }

    private static Listener listener(Consumer<RoutesConfig> routes) {
        Listener.Settings settings = new Listener.Settings(
                "127.0.0.1", 0, 8_192, Duration.ofSeconds(30), CallerPace.USUAL, 100_000, null);
        return Listener.start(settings, routes, new SystemClocks());
    }

    private static void sharing(RoutesConfig routes, Supplier<JsonMapper> mapper) {
        routes.getCfg$javalin().jsonMapper = new Shared(mapper);
        routes.get("/fine", context -> context.status(204));
    }

    /// Something that all requests share, made by the first that asks.
    private record Shared(Supplier<JsonMapper> maker) implements Lazy<JsonMapper> {
        @Override
        public JsonMapper getValue() {
            return maker.get();
        }

        @Override
        public boolean isInitialized() {
            return false;
        }
    }

    private static RawClient.Raw get(Listener listener, String path) throws IOException {
        return new RawClient(listener.port()).send("GET " + path + " HTTP/1.1", "");
    }
}

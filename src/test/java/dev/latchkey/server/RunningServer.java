package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Call;
import dev.latchkey.gateway.Caller;
import dev.latchkey.gateway.ClientBounds;
import dev.latchkey.gateway.Door;
import dev.latchkey.gateway.HeldClaims;
import dev.latchkey.gateway.KeyRule;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Places;
import dev.latchkey.gateway.Poller;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.gateway.Waiters;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.FingerprintKeys;
import dev.latchkey.protocol.KeyTemplate;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Traces;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The gateway's port over a real socket, with calls answered by the test.
final class RunningServer implements AutoCloseable {

    private static final Traces TRACES =
            Traces.unsent(new SystemClocks()::nanos, () -> ThreadLocalRandom.current().nextLong());

    final Drain drain = new Drain();
    final ByteBudget budget;
    final Metrics metrics = new Metrics("test");
    final AtomicReference<@Nullable Call> last = new AtomicReference<>();
    private final AtomicReference<Function<Call, Answer>> answering = new AtomicReference<>(call -> ok("fine"));
    private final Poller poller;
    private final GatewayServer server;
    final RawClient client;

    RunningServer(Clients clients, Ledger ledger) {
        this(clients, ledger, Duration.ofSeconds(30));
    }

    RunningServer(Clients clients, Ledger ledger, Duration idle) {
        this(clients, ledger, idle, 300_000);
    }

    RunningServer(Clients clients, Ledger ledger, Duration idle, long bytes) {
        this(clients, ledger, idle, bytes, CallerPace.USUAL);
    }

    RunningServer(Clients clients, Ledger ledger, Duration idle, long bytes, CallerPace pace) {
        budget = new ByteBudget(bytes);
        poller = new Poller(ledger, new SystemClocks());
        GatewaySettings settings = new GatewaySettings(
                "127.0.0.1", 0, doors(), clients, 100_000, 8_192, Duration.ofSeconds(50), idle, pace, bytes / 2,
                new BatchLimits(4, 6, 150_000), null);
        server = GatewayServer.start(
                settings,
                call -> {
                    last.set(call);
                    return answering.get().apply(call);
                },
                new OwnPages(
                        new EntryPages(clients, ledger, doors(), entry -> "downstream-" + entry.key()),
                        claimPages(clients, ledger)),
                budget, drain, metrics, TRACES, new SystemClocks());
        client = new RawClient(server.port());
    }

    private ClaimPages claimPages(Clients clients, Ledger ledger) {
        SystemClocks clocks = new SystemClocks();
        Duration minute = Duration.ofMinutes(1);
        HeldClaims claims = new HeldClaims(
                ledger, new Waiters(poller, clocks, 100),
                new Places(9, ClientBounds.ofForwards(9, clocks), Map.of()), clocks, new SecureRandom()::nextLong,
                Runnable::run, metrics,
                FingerprintKeys.NONE,
                new HeldClaims.Terms(minute, minute, minute, Retention.usual()));
        return new ClaimPages(
                clients, claims, new ClaimPages.Limits(100_000, 100_000, minute), Duration::parse, budget, drain,
                metrics, TRACES, clocks);
    }

    static Clients twoClients() {
        return Clients.of(List.of(
                new Clients.Known(new Caller("alpha", "alpha-old", Set.of()), Set.of(digest("alpha-token"))),
                new Clients.Known(Caller.named("beta"), Set.of(digest("beta-token"))),
                new Clients.Known(new Caller("held", "held", Set.of("mail")), Set.of(digest("held-token")))));
    }

    static String digest(String token) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                            .digest(token.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Door> doors() {
        return List.of(
                new Door(route("payments"), "/payments", new KeyRule.Required()),
                new Door(route("refunds"), "/payments/refunds", new KeyRule.Required()),
                new Door(route("mail"), "/mail", new KeyRule.Optional()),
                new Door(route("orders"), "/orders", new KeyRule.Derived(KeyTemplate.parse("order:{/id}"))));
    }

    static Route route(String name) {
        return new Route(
                name, Duration.ofSeconds(30), Duration.ofSeconds(10), null, false, false, true,
                SentAs.of(new byte[8]), Statuses.usual(), Retention.usual());
    }

    static Answer ok(String body) {
        return delivered(new Response(200, Headers.of("Content-Type", "text/plain"), Body.ofUtf8(body)));
    }

    static Answer delivered(Response response) {
        return new Answer.Delivered(response, State.RECORDED, false, null, null, null);
    }

    void answer(Answer answer) {
        answering.set(call -> answer);
    }

    void answer(Function<Call, Answer> how) {
        answering.set(how);
    }

    Call call() {
        return Objects.requireNonNull(last.get(), "no call came through");
    }

    int port() {
        return server.port();
    }

    boolean nothingCameThrough() {
        return last.get() == null;
    }

    @Override
    public void close() {
        server.close();
        poller.close();
        metrics.close();
    }
}

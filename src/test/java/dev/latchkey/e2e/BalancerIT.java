package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.sandbox.Sandbox;
import dev.latchkey.testing.Alone;
import dev.latchkey.testing.BatchCall;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.Neighbour;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import dev.latchkey.torture.Caller;
import dev.latchkey.torture.Effects;
import dev.latchkey.torture.Told;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two replicas behind a real haproxy and a real nginx, with the configurations that the operators' page recommends and with
/// less friendly ones.
@Alone
final class BalancerIT {

    private static final Path PAGE = Path.of("src/site/markdown/operating.md");
    /// More than nginx's `client_max_body_size` for single calls.
    private static final int BATCH_BYTES = 3 << 20;
    private static final int BATCH_LINES = 10;
    /// Calls that show that a load goes on.
    private static final int SOME = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Nothing but where the replicas are: no look at their health.
    private static final String UNCHECKED_HAPROXY =
            """
                    defaults
                        mode http
                        timeout connect 2s
                        timeout client 75s
                        timeout server 75s
                    frontend calls
                        bind :80
                        default_backend latchkey
                    backend latchkey
                        option redispatch
                        server one gateway-1:8080
                        server two gateway-2:8080
                    """;

    /// nginx's own settings, but for one: else it asks a replica that once refused nothing for ten seconds.
    private static final String USUAL_NGINX =
            """
                    upstream latchkey {
                        server gateway-1:8080 max_fails=0;
                        server gateway-2:8080 max_fails=0;
                    }
                    server {
                        listen 80;
                        location / { proxy_pass http://latchkey; }
                    }
                    """;

    /// The same with connections that are kept: nothing is sent again.
    private static final String KEEPING_NGINX = USUAL_NGINX
            .replace("    server gateway-1", "    keepalive 16;\n    server gateway-1")
            .replace("location / {", "location / { proxy_http_version 1.1; proxy_set_header Connection \"\";");

    @TempDir
    private static Path folder;

    private static TestPostgres database;
    private static RawDownstream downstream;
    private static Sandbox sandbox;

    private static final List<Place> places = List.of(Place.free(), Place.free());
    private static final List<Replica> replicas = new ArrayList<>();

    private final Caller caller = new Caller(new SystemClocks(), ALICE.token(), PATIENCE);
    private final List<Balancer> balancers = new ArrayList<>();

    /// Where a replica listens, whichever process it is.
    private record Place(int port, int managementPort) {
        static Place free() {
            return new Place(Neighbour.freePort(), Neighbour.freePort());
        }
    }

    @BeforeAll
    static void startAll() throws IOException {
        database = TestPostgres.create();
        downstream = RawDownstream.start();
        sandbox = Sandbox.start("127.0.0.1", 0);
        places.forEach(place -> replicas.add(start(place)));
    }

    @AfterAll
    static void endAll() throws IOException {
        replicas.forEach(Replica::close);
        replicas.clear();
        sandbox.close();
        downstream.close();
        database.close();
    }

    @AfterEach
    void endBalancers() {
        for (Balancer balancer : balancers) {
            balancer.close();
        }
        caller.close();
    }

    // A rolling restart

    /// Behind what is recommended, and behind those that ask for nobody's health and send nothing again.
    @Test
    void rollingRestartFailsNoCall() throws Exception {
        rollUnder(Map.of(haproxy(block("haproxy")), 50, haproxy(UNCHECKED_HAPROXY), 5));
        rollUnder(Map.of(nginx(block("nginx")), 50, nginx(USUAL_NGINX), 5, nginx(KEEPING_NGINX), 5));
    }

    /// @param callsPerSecond each as long as a downstream takes
    private void rollUnder(Map<Balancer, Integer> callsPerSecond) throws Exception {
        Map<Balancer, SteadyLoad> loads = new LinkedHashMap<>();
        callsPerSecond.forEach((balancer, calls) -> loads.put(
                balancer,
                SteadyLoad.start(Duration.ofSeconds(1).dividedBy(calls), number -> call(balancer, number))));
        loads.values().forEach(load -> load.awaitMore(SOME));
        for (int which = 0; which < replicas.size(); which++) {
            replicas.get(which).program().terminate();
            assertThat(replicas.get(which).program().awaitExit()).isZero();
            replicas.set(which, start(places.get(which)));
            loads.values().forEach(load -> load.awaitMore(SOME));
        }
        List<Told> told = new ArrayList<>();
        loads.forEach((balancer, load) -> {
            List<Optional<Told>> heard = load.end();
            assertThat(heard).as(balancer + ": calls without an answer").allMatch(Optional::isPresent);
            heard.forEach(each -> told.add(each.orElseThrow()));
        });
        assertThat(told).isNotEmpty().filteredOn(each -> !each.kind().equals("202 recorded")).isEmpty();
        Effects effects = Effects.read(caller, URI.create("http://127.0.0.1:" + sandbox.port()));
        assertThat(told).allMatch(each -> effects.of(ALICE.wireName(), each.key()) == 1);
    }

    private Optional<Told> call(Balancer balancer, int number) throws InterruptedException {
        return caller.post(
                balancer.url(), "/notices", Canary.key(), "{\"number\":" + number + "}",
                Map.of("Sandbox-Fault", "delay=150ms"));
    }

    // What a balancer sends twice

    /// The downstream's 503 leaves the key in doubt, and the balancer takes it for the replica's own.
    @Test
    void callThatBalancersSendAgainAtOnceHasOneEffect() throws Exception {
        for (Balancer balancer : List.of(haproxy(sendingAgain(block("haproxy"))), nginx(block("nginx")))) {
            String path = "/sent-again-by-" + balancer;
            downstream.at(path, Step.json(503, "{}"));
            String key = Canary.key();
            double before = refusals();
            assertThat(post(balancer, "/plain" + path, key).map(Told::kind)).hasValue("409 outcome-unknown");
            // Counted once the answer has gone.
            await().until(() -> refusals() > before);
            assertThat(downstream.receivedAt(path)).hasSize(1);
        }
    }

    private static String sendingAgain(String haproxy) {
        return haproxy.replace("    retries 3\n",
                "    retries 3\n    option http-buffer-request\n    retry-on all-retryable-errors\n");
    }

    private double refusals() {
        return replicas.stream()
                .mapToDouble(each -> Metrics.of(each)
                        .sum("latchkey_calls_seconds_count{answer=\"outcome-unknown\""))
                .sum();
    }

    /// The first forward is still under way when the balancer has lost its patience with it.
    @Test
    void callThatABalancerSendsAgainMeanwhileHasOneEffect() throws Exception {
        Balancer nginx = nginx(block("nginx").replace("proxy_read_timeout 75s", "proxy_read_timeout 300ms"));
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/slow", gate.before(Step.json(201, "{\"id\":1}")));
        assertThat(caller.post(nginx.url(), "/plain/slow", key, "{}", Map.of()).map(Told::status)).hasValue(504);
        await().until(() -> replicas.stream()
                .allMatch(replica -> Metrics.of(replica).sum("latchkey_calls_under_way") == 1));
        gate.open();
        for (Replica replica : replicas) {
            URI url = URI.create("http://127.0.0.1:" + replica.port());
            assertThat(caller.post(url, "/plain/slow", key, "{}", Map.of()).map(Told::body)).hasValue("{\"id\":1}");
        }
        assertThat(downstream.receivedAt("/slow")).hasSize(1);
    }

    // Batches

    /// More than a request of the page may have otherwise, and each line is sent once the one before is answered.
    @Test
    void batchPassesEachBalancerInTurns() throws Exception {
        for (Balancer balancer : List.of(haproxy(block("haproxy")), nginx(block("nginx")))) {
            try (BatchCall batch = BatchCall.to(balancer.url().getPort(), ALICE.token())) {
                for (int i = 0; i < BATCH_LINES; i++) {
                    JsonNode answer = Objects.requireNonNull(batch.line(batchLine(i)).answer());
                    assertThat(answer.path("status").asInt()).as("%s: %s", balancer, answer).isEqualTo(201);
                }
                assertThat(batch.end().answers()).isEmpty();
            }
        }
    }

    private static String batchLine(int number) {
        return "{\"path\": \"/plain/in-turns\", \"key\": \"" + Canary.key() + "\", \"body\": {\"number\": " + number
                + ", \"text\": \"" + "x".repeat(BATCH_BYTES / BATCH_LINES) + "\"}}";
    }

    // Idle connections

    /// Long before the gateway would, the balancer lets go of its connection; the next call makes another.
    @Test
    void callAfterABalancerLetItsConnectionsGoIsAnswered() throws Exception {
        String haproxy = block("haproxy").replace("http-keep-alive 60s", "http-keep-alive 1s");
        String nginx = block("nginx").replace("keepalive_timeout 60s", "keepalive_timeout 1s");
        for (boolean first : List.of(true, false)) {
            try (CuttingProxy between = CuttingProxy.to(places.getFirst().port())) {
                assertCalledAgain(
                        first ? haproxy(through(between, haproxy)) : nginx(through(between, nginx)), between);
            }
        }
    }

    private void assertCalledAgain(Balancer balancer, CuttingProxy between) throws InterruptedException {
        assertThat(post(balancer, "/plain/idle", Canary.key()).map(Told::status)).hasValue(201);
        assertThat(between.open()).as("connections that %s keeps", balancer).isOne();
        await("that " + balancer + " lets go").atMost(PATIENCE).until(() -> between.open() == 0);
        assertThat(post(balancer, "/plain/idle", Canary.key()).map(Told::status)).hasValue(201);
    }

    /// To the first replica alone.
    private static String through(CuttingProxy between, String configuration) {
        return configuration.replaceAll("(?m)^.*gateway-2.*\\n", "")
                .replace("gateway-1:8080", "127.0.0.1:" + between.port())
                .replace("check port 9090", "check port " + places.getFirst().managementPort());
    }

    // A replica dies

    @Test
    void repeatAfterAReplicaWasKilledIsToldTheTruth() throws Exception {
        Balancer haproxy = haproxy(block("haproxy"));
        Balancer nginx = nginx(block("nginx"));
        Balancer again = haproxy(sendingAgain(block("haproxy")));
        assertThat(toldWhenKilled(haproxy, "/plain/killed-behind-haproxy")).isNotEqualTo("202 recorded");
        assertThat(toldWhenKilled(nginx, "/plain/killed-behind-nginx")).isNotEqualTo("202 recorded");
        // The other replica's word: the balancer sent it there by itself.
        assertThat(toldWhenKilled(again, "/plain/killed-and-sent-again")).isEqualTo("409 in-progress");
    }

    /// The replica that has the call is killed under it, and there is one effect.
    ///
    /// @return what the caller is told then
    private String toldWhenKilled(Balancer balancer, String path) throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at(path.substring("/plain".length()), gate.before(Step.json(201, "{}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Told>> first = calls.submit(() -> post(balancer, path, key));
            gate.awaitReached();
            Replica holder = holder();
            holder.program().kill();
            gate.open();
            String told = first.get().map(Told::kind).orElse("nothing");
            Told again = post(balancer, path, key).orElseThrow();
            assertThat(again.kind()).isIn("409 in-progress", "409 outcome-unknown");
            replicas.set(replicas.indexOf(holder), start(places.get(replicas.indexOf(holder))));
            assertThat(downstream.receivedAt(path.substring("/plain".length()))).hasSize(1);
            return told;
        }
    }

    /// Whichever has a forward under way.
    private Replica holder() {
        return replicas.stream().filter(replica -> Metrics.of(replica).sum("latchkey_forwards_under_way") > 0)
                .findFirst().orElseThrow();
    }

    private Optional<Told> post(Balancer balancer, String path, String key) throws InterruptedException {
        return caller.post(balancer.url(), path, key, "{}", Map.of("Prefer", "wait=0"));
    }

    private Balancer haproxy(String configuration) {
        int port = Neighbour.freePort();
        return kept(Balancer.haproxy(folder, placed(configuration).replace(":80\n", "127.0.0.1:" + port + "\n"), port));
    }

    private Balancer nginx(String servers) {
        int port = Neighbour.freePort();
        return kept(
                Balancer.nginx(folder, placed(servers).replace("listen 80;", "listen 127.0.0.1:" + port + ";"), port));
    }

    private Balancer kept(Balancer balancer) {
        balancers.add(balancer);
        return balancer;
    }

    private String placed(String configuration) {
        String placed = configuration;
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            String name = "gateway-" + (i + 1) + ":8080";
            placed = placed.replace(name + " check port 9090", name + " check port " + place.managementPort())
                    .replace(name, "127.0.0.1:" + place.port());
        }
        return placed;
    }

    /// The page's block in that language.
    private static String block(String language) throws IOException {
        Matcher block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(Files.readString(PAGE));
        assertThat(block.find()).as("a block of " + language).isTrue();
        return block.group(1);
    }

    private static Replica start(Place place) {
        return Replica.start(folder, """
                listen: { port: %d }
                management: { port: %d }
                ledger: { %s }
                upkeep: { every: 200ms }
                drain: { delay: 5s, timeout: 20s }
                clients: [{ name: %s, token-sha256: %s }]
                routes:
                  - name: notices
                    prefix: /notices
                    downstream: { url: "http://127.0.0.1:%d/notifications" }
                  - name: plain
                    prefix: /plain
                    downstream: { url: "%s", timeout: 5s }
                """.formatted(place.port(), place.managementPort(), Settings.ledger(database), ALICE.wireName(),
                ALICE.digest(), sandbox.port(), downstream.url()));
    }
}

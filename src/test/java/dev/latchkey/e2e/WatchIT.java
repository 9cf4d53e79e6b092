package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// What those see who watch a gateway: figures, spans, lines of the log. What the documents, the alerts and the dashboard
/// name is there, and nothing else.
@EndToEnd
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WatchIT {

    private static final Path OPERATING = Path.of("src/site/markdown/operating.md");
    private static final Path MONITORING = Path.of("k8s/components/monitoring");
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final Pattern NAMED = Pattern.compile("`(\\w+)`");
    /// But for the bounds of a histogram's buckets.
    private static final Pattern LABEL = Pattern.compile("[{,](?!le=)(\\w+)=\"");
    private static final Pattern USED = Pattern.compile("\\b(latchkey|jvm|process|system)_[a-z0-9_]+");
    private static final Pattern RISE = Pattern.compile("increase\\((\\w+)");

    private final World world;
    private final RawDownstream collector;
    private final Replica gateway;

    WatchIT(World world) throws IOException {
        this.world = world;
        this.collector = RawDownstream.start().always("/v1/traces", Step.reply(200));
        this.gateway = world.start(settings(collector));
    }

    private String settings(RawDownstream to) {
        return world.settings().replace("drain: { delay: 1s", "drain: { delay: 0s") + """
                telemetry:
                  otlp:
                    endpoint: "%s"
                    headers: { Authorization: "Bearer canary-credential-collector" }
                """.formatted(to.url());
    }

    /// The first calls.
    @BeforeAll
    void call() {
        String key = Canary.key();
        call(key).then().statusCode(201);
        call(key).then().statusCode(201);
        gateway.as(ALICE).get("/optional/first").then().statusCode(201);
        gateway.open().get("/nowhere").then().statusCode(401);
    }

    @AfterAll
    void end() throws IOException {
        gateway.close();
        collector.close();
    }

    private io.restassured.response.Response call(String key) {
        return gateway.keyed(ALICE, key).body("{}").post("/payments/watched");
    }

    private List<String> scrape() {
        return Metrics.of(gateway).lines();
    }

    @Test
    void everyMetricIsInTheTableAndEveryOneOfTheTableIsThere() throws IOException {
        Map<String, String> there = new TreeMap<>();
        Set<String> others = new TreeSet<>();
        for (String line : scrape()) {
            if (line.startsWith("# TYPE ")) {
                String[] words = line.split(" ");
                if (!words[2].startsWith("latchkey_")) {
                    others.add(words[2].replaceFirst("_.*", ""));
                } else if (!words[2].endsWith("_max")) {
                    there.put(words[2], words[3]);
                }
            }
        }
        assertThat(there).isEqualTo(documented());
        assertThat(others).containsExactly("jvm", "process", "system");
        assertThat(Files.readString(OPERATING)).contains("| `jvm_*`, `process_*`, `system_*` |");
    }

    /// By the table of the metrics, with its kinds.
    private static Map<String, String> documented() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        for (String[] cells : rows()) {
            names(cells[1]).forEach(name -> documented.put(name, cells[2].strip()));
        }
        return documented;
    }

    private static List<String[]> rows() throws IOException {
        return Files.readAllLines(OPERATING).stream().filter(row -> row.startsWith("| `latchkey_"))
                .map(row -> row.split("\\|")).filter(cells -> cells.length > 3).toList();
    }

    private static Set<String> names(String cell) {
        return NAMED.matcher(cell).results().map(name -> name.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    /// Row by row: a label that nobody expects may have any number of values.
    @Test
    void everyLabelIsInTheTableAndEveryOneOfTheTableIsThere() throws IOException {
        List<String> lines = scrape();
        for (String[] cells : rows()) {
            Set<String> names = names(cells[1]);
            Set<String> labels = lines.stream()
                    .filter(line -> names
                            .contains(line.replaceFirst("[{ ].*", "").replaceFirst("_(bucket|count|sum|max)$", "")))
                    .flatMap(line -> LABEL.matcher(line).results()).map(label -> label.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(labels).as(cells[1]).isEqualTo(names(cells[3]));
        }
    }

    @Test
    void everyMetricHasAHelpThatIsASentence() {
        assertThat(scrape()).filteredOn(line -> line.startsWith("# HELP latchkey_")).isNotEmpty()
                .allSatisfy(line -> assertThat(line.split(" ", 4)[3]).hasSizeGreaterThan(15));
    }

    @Test
    void noLabelSaysWhoCalledOrWhat() {
        assertThat(String.join("\n", scrape())).contains("latchkey_").doesNotContain(
                Canary.MARK, "watched", ALICE.wireName(), "nowhere");
    }

    @Test
    void whatAlertsAndDashboardAskForIsThere() throws IOException {
        // In their text a histogram is named as a whole.
        Set<String> there = scrape().stream()
                .map(line -> line.replaceFirst("^# TYPE ", "").replaceFirst("[{ ].*", "")).collect(Collectors.toSet());
        for (String file : new String[] {"alerts.yaml", "dashboard.json"}) {
            Set<String> used = USED.matcher(Files.readString(MONITORING.resolve(file))).results()
                    .map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
            assertThat(used).as(file).hasSizeGreaterThan(8).isSubsetOf(there);
        }
    }

    /// An alert that asks what a counter rose by never sees the first of a counter that begins with it.
    @Test
    void whatAlertsAskTheRiseOfIsThereBeforeItsFirst() throws IOException {
        Set<String> rising = RISE.matcher(Files.readString(MONITORING.resolve("alerts.yaml"))).results()
                .map(rise -> rise.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(rising).contains("latchkey_late_responses_total");
        List<String> lines = scrape();
        assertThat(rising).allSatisfy(name -> assertThat(lines).anyMatch(line -> line.startsWith(name)));
        for (String route : List.of("payments", "optional", "/v1/claims")) {
            assertThat(lines).contains("latchkey_late_responses_total{route=\"" + route + "\"} 0.0");
        }
    }

    @Test
    void aCallLeavesOneLineWithItsTimesAndItsTrace() {
        String key = Canary.key();
        String entry = gateway.keyed(ALICE, key).header("traceparent", "00-" + TRACE + "-" + CALLER + "-01").body("{}")
                .post("/payments/line").then().statusCode(201).extract().header("Idempotency-Key");
        assertThat(entry).isNotNull();
        String id = gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("entry_id");
        JsonPath line = JsonPath.from(gateway.program().awaitLine(printed -> printed.contains(id)));
        assertThat(line.getString("event")).isEqualTo("call");
        assertThat(line.getString("client")).isEqualTo(ALICE.wireName());
        assertThat(line.getString("route")).isEqualTo("payments");
        assertThat(line.getString("answer")).isEqualTo("fresh");
        assertThat(line.getString("forwarded")).isEqualTo("true");
        assertThat(line.getString("trace")).isEqualTo(TRACE);
        for (String time : List.of("claim_micros", "forward_micros", "record_micros", "added_micros")) {
            assertThat(line.getLong(time)).as(time).isPositive();
        }
        assertThat(gateway.program().output().lines().filter(printed -> printed.contains(id))).hasSize(1);
    }

    private List<Spans.Span> spans() {
        return collector.receivedAt("/v1/traces").stream().flatMap(request -> Spans.in(request).stream()).toList();
    }

    private Spans.Span awaitSpan(String path, String name, String trace) {
        await(path).until(() -> find(name, trace).findFirst().isPresent());
        return find(name, trace).findFirst().orElseThrow();
    }

    private Stream<Spans.Span> find(String name, String trace) {
        return spans().stream().filter(span -> span.name().equals(name) && span.trace().equals(trace));
    }

    @Test
    void aCallersTraceGoesThroughTheGatewayToTheDownstream() {
        String key = Canary.key();
        gateway.keyed(ALICE, key).header("traceparent", "00-" + TRACE.replace('4', '5') + "-" + CALLER + "-01")
                .header("tracestate", "vendor=canary-state").body(Canary.body()).post("/payments/traced").then()
                .statusCode(201);
        String trace = TRACE.replace('4', '5');
        Spans.Span call = awaitSpan("the call", "POST /payments", trace);
        assertThat(call.parent()).isEqualTo(CALLER);
        assertThat(call.kind()).isEqualTo(2);
        assertThat(call.attributes())
                .containsEntry("http.request.method", "POST").containsEntry("http.route", "/payments")
                .containsEntry("http.response.status_code", "201").containsEntry("latchkey.route", "payments")
                .containsEntry("latchkey.answer", "fresh").containsEntry("latchkey.replayed", "false")
                .containsEntry("latchkey.client", ALICE.wireName()).containsKey("latchkey.entry.id");
        for (String name : List.of("claim", "POST", "record")) {
            assertThat(awaitSpan(name, name, trace).parent()).as(name).isEqualTo(call.id());
        }
        Spans.Span forward = awaitSpan("the forward", "POST", trace);
        assertThat(forward.kind()).isEqualTo(3);
        assertThat(forward.attributes()).containsEntry("server.address", "127.0.0.1")
                .containsEntry("server.port", Integer.toString(world.downstream().port()));
        assertThat(world.downstream().receivedAt("/pay/traced")).singleElement().satisfies(sent -> {
            assertThat(sent.header("traceparent")).isEqualTo("00-" + trace + "-" + forward.id() + "-01");
            assertThat(sent.header("tracestate")).isEqualTo("vendor=canary-state");
        });
    }

    @Test
    void aReplaysSpanSaysSoAndHasNoForward() {
        String key = Canary.key();
        call(key).then().statusCode(201);
        String trace = TRACE.replace('4', '6');
        gateway.keyed(ALICE, key).header("traceparent", "00-" + trace + "-" + CALLER + "-01").body("{}")
                .post("/payments/watched").then().statusCode(201).header("Idempotent-Replayed", "true");
        assertThat(awaitSpan("the call", "POST /payments", trace).attributes())
                .containsEntry("latchkey.replayed", "true").containsEntry("latchkey.answer", "replay");
        assertThat(find("POST", trace)).isEmpty();
    }

    @Test
    void theCallersDecisionNotToSampleIsKept() {
        String quiet = TRACE.replace('4', '7');
        gateway.keyed(ALICE, Canary.key()).header("traceparent", "00-" + quiet + "-" + CALLER + "-00").body("{}")
                .post("/payments/unsampled").then().statusCode(201);
        assertThat(world.downstream().receivedAt("/pay/unsampled")).singleElement()
                .satisfies(sent -> assertThat(sent.header("traceparent")).matches("00-" + quiet + "-[0-9a-f]{16}-00"));
        String loud = TRACE.replace('4', '8');
        gateway.keyed(ALICE, Canary.key()).header("traceparent", "00-" + loud + "-" + CALLER + "-01").body("{}")
                .post("/payments/sampled").then().statusCode(201);
        // Sent later, so whatever there was of the other is there by now.
        awaitSpan("the sampled call", "POST /payments", loud);
        assertThat(spans()).noneMatch(span -> span.trace().equals(quiet));
    }

    @Test
    void noSpanHoldsAKeyABodyOrAToken() {
        String trace = TRACE.replace('4', '9');
        gateway.keyed(ALICE, Canary.key()).header("traceparent", "00-" + trace + "-" + CALLER + "-01")
                .body(Canary.body()).post("/payments/canary-path?canary-query=1").then().statusCode(201);
        awaitSpan("the call", "POST /payments", trace);
        assertThat(spans()).isNotEmpty().allSatisfy(span -> {
            assertThat(span.name()).doesNotContain(Canary.MARK);
            assertThat(span.attributes().toString()).doesNotContain(Canary.MARK);
        });
        assertThat(collector.receivedAt("/v1/traces")).allSatisfy(
                sent -> assertThat(sent.header("Authorization")).isEqualTo("Bearer canary-credential-collector"));
    }

    @Test
    void aCollectorThatHangsHoldsNobodyUpNorTheEnd() throws IOException {
        try (RawDownstream hanging = RawDownstream.start().always("/v1/traces", Step.hang());
                Replica other = world.start(settings(hanging))) {
            for (int i = 0; i < 20; i++) {
                other.keyed(ALICE, Canary.key()).body("{}").post("/payments/hanging").then().statusCode(201);
            }
            await("a span is on its way").until(() -> !hanging.receivedAt("/v1/traces").isEmpty());
            other.program().awaitLine(line -> line.contains("\"traces-lost\""));
            assertThat(Metrics.of(other).sum("latchkey_spans_total{result=\"lost\"}")).isPositive();
            other.keyed(ALICE, Canary.key()).body("{}").post("/payments/hanging").then().statusCode(201);
            long asked = System.nanoTime();
            other.program().terminate();
            assertThat(other.program().awaitExit()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
            assertThat(other.program().output()).contains("\"stopped\"");
        }
    }

    @Test
    void aDrainSendsTheLastSpans() throws IOException {
        try (RawDownstream taking = RawDownstream.start().always("/v1/traces", Step.reply(200));
                Replica other = world.start(settings(taking))) {
            String last = TRACE.replace('4', 'a');
            other.keyed(ALICE, Canary.key()).header("traceparent", "00-" + last + "-" + CALLER + "-01").body("{}")
                    .post("/payments/last").then().statusCode(201);
            other.program().terminate();
            assertThat(other.program().awaitExit()).isZero();
            assertThat(taking.receivedAt("/v1/traces")).flatMap(Spans::in)
                    .filteredOn(span -> span.trace().equals(last)).hasSize(4);
        }
    }
}

package dev.latchkey.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The component that watches: its alerts fire when they should, are explained, and what it scrapes is there. That every
/// metric they ask for exists is held against a running gateway, elsewhere.
class MonitoringIT {

    private static final Path FOLDER = Path.of("k8s", "components", "monitoring");
    private static final Path TESTS = Path.of("src/test/resources/dev/latchkey/kubernetes/alerts-test.yaml");
    private static final Pattern ALERT = Pattern.compile("Latchkey[A-Z]\\w+");

    @TempDir
    private Path folder;

    private static Manifest only(String file) {
        List<Manifest> manifests = Manifest.read(Manifest.text(FOLDER.resolve(file)));
        assertThat(manifests).hasSize(1);
        return manifests.getFirst();
    }

    private static List<JsonObject> alerts() {
        List<JsonObject> alerts = new ArrayList<>();
        for (JsonElement group : only("alerts.yaml").at("spec.groups").getAsJsonArray()) {
            group.getAsJsonObject().getAsJsonArray("rules").forEach(rule -> alerts.add(rule.getAsJsonObject()));
        }
        return alerts;
    }

    private static Set<String> names() {
        return alerts().stream().map(alert -> alert.get("alert").getAsString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void alertsFireWhenTheyShouldAndElseDoNot() throws IOException, InterruptedException {
        // What is JSON is YAML, too.
        Files.writeString(folder.resolve("rules.yaml"), only("alerts.yaml").at("spec").toString());
        Files.copy(TESTS, folder.resolve("alerts-test.yaml"));
        run("Debian's prometheus, which has promtool", "promtool", "check", "rules", "rules.yaml");
        run("Debian's prometheus, which has promtool", "promtool", "test", "rules", "alerts-test.yaml");
    }

    @Test
    void everyAlertIsTriedAndExplained() throws IOException {
        assertThat(named(Files.readString(TESTS))).isEqualTo(names());
        assertThat(named(Files.readString(Path.of("src/site/markdown/operating.md")))).isEqualTo(names());
        assertThat(alerts()).hasSizeGreaterThan(8).allSatisfy(alert -> {
            assertThat(alert.getAsJsonObject("labels").get("severity").getAsString())
                    .isIn("critical", "warning", "info");
            assertThat(alert.getAsJsonObject("annotations").keySet()).containsExactly("summary", "description");
        });
    }

    private static Set<String> named(String text) {
        return ALERT.matcher(text).results().map(each -> each.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /// One service alone has the port, so each replica is scraped once.
    @Test
    void whatIsScrapedIsThere() throws IOException, InterruptedException {
        Manifest monitor = only("servicemonitor.yaml");
        JsonObject wanted = monitor.at("spec.selector.matchLabels").getAsJsonObject();
        String port = monitor.at("spec.endpoints[0].port").getAsString();
        List<Manifest> services = Source.FILES.manifests().stream()
                .filter(each -> each.kind().equals("Service") && each.at("spec.ports").toString().contains(
                        "\"name\":\"" + port + "\""))
                .toList();
        assertThat(services).singleElement().satisfies(service -> assertThat(
                service.at("metadata.labels").getAsJsonObject().entrySet()).containsAll(wanted.entrySet()));
    }

    @Test
    void anOverlayTakesItIn() throws IOException, InterruptedException {
        Path top = Path.of("").toAbsolutePath();
        Files.writeString(folder.resolve("kustomization.yaml"), """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources: [%s]
                components: [%s]
                """.formatted(
                folder.toRealPath().relativize(top.resolve(Source.BASE).toRealPath()),
                folder.toRealPath().relativize(top.resolve(FOLDER).toRealPath())));
        List<Manifest> rendered = Manifest.read(run("kubectl", "kubectl", "kustomize", "."));
        assertThat(rendered).extracting(Manifest::kind).contains("ServiceMonitor", "PrometheusRule", "Deployment");
        assertThat(rendered).filteredOn(each -> each.name().equals("latchkey-dashboard")).singleElement()
                .satisfies(made -> assertThat(made.at("data").getAsJsonObject().get("latchkey.json").getAsString())
                        .isEqualTo(Manifest.text(FOLDER.resolve("dashboard.json"))));
    }

    /// @param remedy what to install where it is missing
    /// @return what it printed
    private String run(String remedy, String... command) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        Process process;
        try {
            process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                    .redirectOutput(out.toFile()).start();
        } catch (IOException e) {
            System.err.println("SKIPPED: " + command[0] + " is not here; install " + remedy);
            return Assumptions.abort("no " + command[0] + ": " + e.getMessage());
        }
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        String printed = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", String.join(" ", command), printed).isZero();
        return printed;
    }
}

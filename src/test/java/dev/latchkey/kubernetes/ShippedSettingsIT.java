package dev.latchkey.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.latchkey.config.Clients;
import dev.latchkey.config.RouteSettings;
import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippedSettingsIT {

    private static final Path FILE = Source.BASE.resolve("latchkey.yaml");
    private static final Pattern SECRET = Pattern.compile("\\$\\{file:(/run/secrets/latchkey)/([a-z0-9-]+)}");
    private static final Duration TO_SPARE = Duration.ofSeconds(5);

    @TempDir
    Path secrets;

    private Settings settings;
    private Manifest deployment;

    @BeforeEach
    void load() throws Exception {
        Files.writeString(secrets.resolve("ledger-password"), "a password\n");
        Files.writeString(secrets.resolve("payments-token"), "a token\n");
        Files.writeString(secrets.resolve("pipelines-token-sha256"), "0123456789abcdef".repeat(4) + "\n");
        String yaml = Manifest.text(FILE).replace("/run/secrets/latchkey", secrets.toString());
        settings = new SettingsLoader(name -> null).read(FILE.toString(), yaml);
        deployment = Source.FILES.manifests().stream()
                .filter(manifest -> manifest.kind().equals("Deployment"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void gatewayListensWhereThePodSays() {
        assertThat(containerPort("http")).isEqualTo(settings.listen().port());
        assertThat(containerPort("management")).isEqualTo(settings.management().port());
        assertThat(List.of(settings.listen().host(), settings.management().host())).containsOnly("0.0.0.0");
    }

    @Test
    void nobodyIsLetInByTheExample() {
        assertThat(settings.clients()).isInstanceOf(Clients.Listed.class);
        assertThat(Manifest.text(FILE)).doesNotContainPattern("[0-9a-f]{64}");
    }

    @Test
    void graceIsLongEnoughForTheDrain() {
        Duration preStop = seconds("spec.template.spec.containers[0].lifecycle.preStop.sleep.seconds");
        Duration grace = seconds("spec.template.spec.terminationGracePeriodSeconds");
        Duration drain =
                settings.drain().delay().plus(settings.drain().timeout());
        assertThat(grace).isGreaterThanOrEqualTo(preStop.plus(drain).plus(TO_SPARE));
    }

    @Test
    void drainIsLongEnoughForAForward() {
        assertThat(settings.routes())
                .extracting(route -> route.downstream().timeout())
                .allSatisfy(timeout -> assertThat(timeout).isLessThan(settings.drain().timeout()));
        assertThat(settings.routes()).extracting(RouteSettings::prefix).containsExactly("/payments");
    }

    @Test
    void secretsAreReadWhereTheyAreMounted() {
        List<String> mounts = Manifest.each(deployment.at("spec.template.spec.containers[0].volumeMounts"))
                .map(mount -> Manifest.at(mount, "mountPath").getAsString())
                .toList();
        Matcher secret = SECRET.matcher(Manifest.text(FILE));
        assertThat(secret.results().map(found -> found.group(1))).isNotEmpty().allMatch(mounts::contains);
    }

    @Test
    void settingsLieWhereTheyAreMounted() {
        List<JsonElement> arguments = Manifest.each(deployment.at("spec.template.spec.containers[0].args"))
                .toList();
        assertThat(arguments).extracting(JsonElement::getAsString).containsExactly(
                "serve", "--config", "/etc/latchkey/latchkey.yaml");
    }

    private int containerPort(String name) {
        return Manifest.each(deployment.at("spec.template.spec.containers[0].ports"))
                .filter(port -> Manifest.at(port, "name").getAsString().equals(name))
                .mapToInt(port -> Manifest.at(port, "containerPort").getAsInt())
                .findFirst()
                .orElseThrow();
    }

    private Duration seconds(String path) {
        return Duration.ofSeconds(deployment.at(path).getAsLong());
    }
}

package dev.latchkey.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ManifestsIT {

    private static final String POD = "spec.template.spec";
    private static final String CONTAINER = POD + ".containers[0]";

    @ParameterizedTest
    @EnumSource
    void everyManifestFitsTheSchema(Source source) throws Exception {
        assertThat(source.manifests())
                .extracting(Manifest::kind)
                .contains("Deployment", "PodDisruptionBudget", "Service", "ServiceAccount");
        for (Manifest manifest : source.manifests()) {
            assertThatCode(() -> KubernetesSchema.check(manifest)).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|', value = {
                "readOnlyRootFilesystem: true|readonlyRootFilesystem: true",
                "memory: 1Gi|memory: 1 Gig",
                "mountPath: /tmp|mountpath: /tmp",
                "- name: http|- title: http",
                "replicas: 2|replicas: two"
            })
    void schemaSeesWhatIsMisspelt(String right, String wrong) {
        String deployment = Manifest.text(Source.BASE.resolve("deployment.yaml"));
        assertThat(deployment).contains(right);
        Manifest broken = Manifest.read(deployment.replace(right, wrong)).getFirst();
        assertThatThrownBy(() -> KubernetesSchema.check(broken)).isInstanceOf(Exception.class);
    }

    @ParameterizedTest
    @EnumSource
    void selectorsFindThePods(Source source) throws Exception {
        Manifest deployment = deployment(source);
        JsonElement labels = deployment.at("spec.template.metadata.labels");
        assertThat(deployment.at("spec.selector.matchLabels")).isEqualTo(labels);
        assertThat(ofKind(source, "PodDisruptionBudget").map(budget -> budget.at("spec.selector.matchLabels")))
                .isNotEmpty()
                .allMatch(labels::equals);
        assertThat(ofKind(source, "Service").map(service -> service.at("spec.selector")))
                .isNotEmpty()
                .allMatch(labels::equals);
        assertThat(Manifest.each(deployment.at(POD + ".topologySpreadConstraints")))
                .isNotEmpty()
                .allMatch(spread -> Manifest.at(spread, "labelSelector.matchLabels").equals(labels));
    }

    @ParameterizedTest
    @EnumSource
    void publicServiceLeadsToCallsOnly(Source source) throws Exception {
        assertThat(targetPorts(source, "latchkey")).containsExactly("http");
        assertThat(targetPorts(source, "latchkey-management")).containsExactly("management");
        assertThat(portNames(source)).containsExactlyInAnyOrder("http", "management");
        assertThat(ofKind(source, "Service").map(service -> text(service.at("spec.type"))))
                .containsOnly("ClusterIP");
    }

    @ParameterizedTest
    @EnumSource
    void probesAskTheManagementPort(Source source) throws Exception {
        Manifest deployment = deployment(source);
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            JsonElement get = deployment.at(CONTAINER + "." + probe + ".httpGet");
            String path = probe.equals("readinessProbe") ? "/health/ready" : "/health/live";
            assertThat(text(Manifest.at(get, "path"))).isEqualTo(path);
            assertThat(text(Manifest.at(get, "port"))).isEqualTo("management");
        }
    }

    @ParameterizedTest
    @EnumSource
    void rolloutNeverGoesBelowTwo(Source source) throws Exception {
        Manifest deployment = deployment(source);
        assertThat(deployment.at("spec.replicas").getAsInt()).isEqualTo(2);
        assertThat(deployment.at("spec.strategy.rollingUpdate.maxUnavailable").getAsInt())
                .isZero();
        assertThat(deployment.at("spec.strategy.rollingUpdate.maxSurge").getAsInt())
                .isPositive();
        assertThat(ofKind(source, "PodDisruptionBudget").map(budget -> budget.at("spec.maxUnavailable").getAsInt()))
                .containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource
    void podsPassTheRestrictedProfile(Source source) throws Exception {
        Manifest deployment = deployment(source);
        JsonElement pod = deployment.at(POD + ".securityContext");
        assertThat(Manifest.at(pod, "runAsNonRoot").getAsBoolean()).isTrue();
        assertThat(Manifest.at(pod, "runAsUser").getAsInt()).isEqualTo(10001);
        assertThat(text(Manifest.at(pod, "seccompProfile.type"))).isEqualTo("RuntimeDefault");
        JsonElement container = deployment.at(CONTAINER + ".securityContext");
        assertThat(Manifest.at(container, "allowPrivilegeEscalation").getAsBoolean())
                .isFalse();
        assertThat(Manifest.at(container, "readOnlyRootFilesystem").getAsBoolean())
                .isTrue();
        assertThat(Manifest.at(container, "capabilities").toString()).isEqualTo("{\"drop\":[\"ALL\"]}");
        for (String forbidden : List.of("hostNetwork", "hostPID", "hostIPC", "initContainers")) {
            assertThat(deployment.at(POD + "." + forbidden)).isEqualTo(JsonNull.INSTANCE);
        }
        assertThat(deployment.at(POD + ".automountServiceAccountToken").getAsBoolean())
                .isFalse();
        assertThat(deployment.at(POD + ".containers").getAsJsonArray()).hasSize(1);
        assertThat(Manifest.each(deployment.at(POD + ".volumes")).flatMap(volume -> volume.getAsJsonObject().keySet()
                .stream())).containsOnly("name", "configMap", "secret", "emptyDir");
    }

    @ParameterizedTest
    @EnumSource
    void everyVolumeIsMountedAndThere(Source source) throws Exception {
        Manifest deployment = deployment(source);
        assertThat(names(deployment.at(CONTAINER + ".volumeMounts")))
                .isEqualTo(names(deployment.at(POD + ".volumes")));
        assertThat(deployment.at(POD + ".serviceAccountName").getAsString())
                .isEqualTo(ofKind(source, "ServiceAccount").findFirst().orElseThrow().name());
    }

    @Test
    void podsReadTheConfigMapThatIsMade() throws Exception {
        Manifest made = ofKind(Source.KUBECTL, "ConfigMap").findFirst().orElseThrow();
        assertThat(Manifest.each(deployment(Source.KUBECTL).at(POD + ".volumes"))
                .map(volume -> Manifest.at(volume, "configMap.name"))
                .filter(JsonElement::isJsonPrimitive)
                .map(ManifestsIT::text)).containsExactly(made.name());
        assertThat(made.at("data").getAsJsonObject().get("latchkey.yaml").getAsString())
                .isEqualTo(Manifest.text(Source.BASE.resolve("latchkey.yaml")));
    }

    private static Manifest deployment(Source source) throws Exception {
        return ofKind(source, "Deployment").findFirst().orElseThrow();
    }

    private static Stream<Manifest> ofKind(Source source, String kind) throws Exception {
        return source.manifests().stream().filter(manifest -> manifest.kind().equals(kind));
    }

    private static Stream<String> targetPorts(Source source, String service) throws Exception {
        Manifest found = ofKind(source, "Service")
                .filter(candidate -> candidate.name().equals(service))
                .findFirst()
                .orElseThrow();
        return Manifest.each(found.at("spec.ports")).map(port -> text(Manifest.at(port, "targetPort")));
    }

    private static Set<String> portNames(Source source) throws Exception {
        return names(deployment(source).at(CONTAINER + ".ports"));
    }

    private static Set<String> names(JsonElement list) {
        return Manifest.each(list).map(one -> text(Manifest.at(one, "name"))).collect(Collectors.toSet());
    }

    private static String text(JsonElement value) {
        return value.getAsString();
    }
}

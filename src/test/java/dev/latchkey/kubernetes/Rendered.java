package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// All that one overlay makes.
record Rendered(List<Manifest> manifests) {

    Stream<Manifest> ofKind(String kind) {
        return manifests.stream().filter(manifest -> manifest.kind().equals(kind));
    }

    Optional<Manifest> find(String kind, String name) {
        return ofKind(kind).filter(manifest -> manifest.name().equals(name)).findFirst();
    }

    /// What makes pods, for people to read: the gateway and the migration.
    List<Manifest> workloads() {
        return manifests.stream().filter(each -> each.kind().equals("Deployment") || each.kind().equals("Job"))
                .toList();
    }

    Manifest gateway() {
        return find("Deployment", "latchkey").orElseThrow();
    }

    /// Those whose pods have all of these labels.
    List<Manifest> withPods(JsonElement labels) {
        return labels instanceof JsonObject wanted && !wanted.isEmpty()
                ? workloads().stream().filter(each -> labels(each).entrySet().containsAll(wanted.entrySet())).toList()
                : List.of();
    }

    static JsonObject labels(Manifest workload) {
        return workload.at("spec.template.metadata.labels").getAsJsonObject();
    }

    static JsonElement pod(Manifest workload) {
        return workload.at("spec.template.spec");
    }

    static List<JsonElement> containers(Manifest workload) {
        return Stream.concat(
                Manifest.each(Manifest.at(pod(workload), "initContainers")),
                Manifest.each(Manifest.at(pod(workload), "containers"))).toList();
    }

    /// The container that runs the gateway, or the migration, with its settings.
    static JsonElement program(Manifest workload) {
        return Manifest.at(pod(workload), "containers[0]");
    }

    /// The members of a secret, wherever it comes from; empty where nobody makes it.
    Optional<Set<String>> secret(String name) {
        Optional<Set<String>> plain = find("Secret", name).map(each -> keys(each.at("data")));
        return plain.isPresent() ? plain : external(name).map(Rendered::externalKeys);
    }

    private Optional<Manifest> external(String name) {
        return ofKind("ExternalSecret").filter(each -> Manifest.text(each.at("spec.target.name")).equals(name))
                .findFirst();
    }

    private static Set<String> externalKeys(Manifest external) {
        JsonElement template = external.at("spec.target.template.data");
        if (template.isJsonObject()) {
            return keys(template);
        }
        Set<String> keys = new HashSet<>();
        Manifest.each(external.at("spec.data"))
                .forEach(each -> keys.add(Manifest.text(Manifest.at(each, "secretKey"))));
        return keys;
    }

    static Set<String> keys(JsonElement members) {
        return members instanceof JsonObject object ? object.keySet() : Set.of();
    }
}

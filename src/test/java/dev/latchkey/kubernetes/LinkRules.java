package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// What one object says of another must be true of that other.
final class LinkRules {

    private static final Map<String, String> PROBES = Map.of(
            "startupProbe", "/health/live", "livenessProbe", "/health/live", "readinessProbe", "/health/ready");

    /// What the base leaves to its overlays to bring.
    private static final Set<String> FROM_OVERLAYS = Set.of("latchkey", "latchkey-ledger", "latchkey-migrate");

    private LinkRules() {}

    static void check(Rendered all, Consumer<String> problem) {
        checkSelectors(all, problem);
        checkServices(all, problem);
        checkProbes(all.gateway(), problem);
        all.workloads().forEach(workload -> checkReferences(all, workload, problem));
        all.ofKind("HorizontalPodAutoscaler").forEach(each -> find(
                all, Manifest.text(each.at("spec.scaleTargetRef.kind")),
                Manifest.text(each.at("spec.scaleTargetRef.name")),
                each, problem));
    }

    private static void checkSelectors(Rendered all, Consumer<String> problem) {
        Manifest gateway = all.gateway();
        List<JsonElement> selectors = new ArrayList<>();
        selectors.add(gateway.at("spec.selector.matchLabels"));
        all.ofKind("PodDisruptionBudget").forEach(each -> selectors.add(each.at("spec.selector.matchLabels")));
        Manifest.each(Manifest.at(Rendered.pod(gateway), "topologySpreadConstraints"))
                .forEach(each -> selectors.add(Manifest.at(each, "labelSelector.matchLabels")));
        if (selectors.size() != 4) {
            problem.accept("a budget and two constraints of spread are wanted");
        }
        selectors.stream().filter(each -> !all.withPods(each).equals(List.of(gateway)))
                .forEach(each -> problem.accept("the selector " + each + " does not select the gateway alone"));
    }

    private static void checkServices(Rendered all, Consumer<String> problem) {
        for (Manifest service : all.ofKind("Service").toList()) {
            if (!all.withPods(service.at("spec.selector")).equals(List.of(all.gateway()))) {
                problem.accept("the service " + service.name() + " does not select the gateway alone");
            }
            Set<String> targets = Manifest.each(service.at("spec.ports"))
                    .map(port -> Manifest.text(port, "targetPort")).collect(Collectors.toSet());
            if (!ports(all.gateway()).containsAll(targets)) {
                problem.accept("the service " + service.name() + " leads to " + targets + ", which no container has");
            }
            if (service.name().equals("latchkey") && !targets.equals(Set.of("http"))) {
                problem.accept("the service that an ingress may point at leads to " + targets);
            }
        }
    }

    private static void checkProbes(Manifest gateway, Consumer<String> problem) {
        PROBES.forEach((probe, path) -> {
            JsonElement get = Manifest.at(Rendered.program(gateway), probe + ".httpGet");
            if (!Manifest.text(get, "path").equals(path) || !Manifest.text(get, "port").equals("management")) {
                problem.accept(probe + " asks " + get + " and not " + path + " of the management port");
            }
        });
    }

    private static void checkReferences(Rendered all, Manifest workload, Consumer<String> problem) {
        JsonElement pod = Rendered.pod(workload);
        find(all, "ServiceAccount", Manifest.text(pod, "serviceAccountName"), workload, problem);
        for (JsonElement volume : Manifest.each(Manifest.at(pod, "volumes")).toList()) {
            String map = Manifest.text(volume, "configMap.name");
            if (!map.isEmpty()) {
                find(all, "ConfigMap", map, workload, problem);
            }
            String secret = Manifest.text(volume, "secret.secretName");
            boolean later = all.ofKind("Namespace").findFirst().isEmpty() && FROM_OVERLAYS.contains(secret);
            if (!secret.isEmpty() && !later && all.secret(secret).isEmpty()) {
                problem.accept(workload.name() + " names the secret " + secret + ", which nobody makes");
            }
        }
        for (JsonElement container : Rendered.containers(workload)) {
            Manifest.each(Manifest.at(container, "env")).map(each -> Manifest.at(each, "valueFrom.configMapKeyRef"))
                    .filter(JsonElement::isJsonObject)
                    .filter(each -> all.find("ConfigMap", Manifest.text(each, "name"))
                            .filter(map -> Rendered.keys(map.at("data")).contains(Manifest.text(each, "key")))
                            .isEmpty())
                    .forEach(each -> problem.accept(workload.name() + " reads " + each + ", which is not there"));
        }
    }

    private static void find(Rendered all, String kind, String name, Manifest from, Consumer<String> problem) {
        if (all.find(kind, name).isEmpty()) {
            problem.accept(from.name() + " names the " + kind + " " + name + ", which is not there");
        }
    }

    /// By name.
    static Set<String> ports(Manifest workload) {
        return Rendered.containers(workload).stream()
                .flatMap(container -> Manifest.each(Manifest.at(container, "ports")))
                .map(port -> Manifest.text(port, "name")).collect(Collectors.toSet());
    }
}

package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The network lets in and out whom it should. Only selectors of a form that these rules read are allowed: labels, or values of
/// one label.
final class PolicyRules {

    private PolicyRules() {}

    static void check(Rendered all, Consumer<String> problem) {
        all.manifests().forEach(each -> checkReadable(each.kind() + " " + each.name(), each.json(), problem));
        policies(all).forEach(policy -> checkIngress(all, policy, problem));
        for (Manifest workload : all.workloads()) {
            for (String direction : List.of("Ingress", "Egress")) {
                if (policies(all).noneMatch(policy -> bounds(policy, direction)
                        && selected(all, policy.at("spec.podSelector")).contains(workload))) {
                    problem.accept("no policy bounds the " + direction + " of " + workload.name());
                }
            }
            checkNames(all, workload, problem);
            all.ofKind("Cluster").forEach(cluster -> checkCluster(all, workload, cluster, problem));
        }
    }

    private static Stream<Manifest> policies(Rendered all) {
        return all.ofKind("NetworkPolicy");
    }

    private static boolean bounds(Manifest policy, String direction) {
        return Manifest.each(policy.at("spec.policyTypes")).anyMatch(type -> Manifest.text(type).equals(direction));
    }

    private static void checkReadable(String where, JsonElement part, Consumer<String> problem) {
        Manifest.each(part).forEach(each -> checkReadable(where, each, problem));
        if (part instanceof JsonObject members) {
            members.asMap().forEach((name, each) -> checkReadable(where, each, problem));
            List<JsonElement> expressions = Manifest.each(Manifest.at(members, "matchExpressions")).toList();
            if (!expressions.isEmpty() && (expressions.size() > 1 || members.has("matchLabels")
                    || !Manifest.text(expressions.getFirst(), "operator").equals("In"))) {
                problem.accept(where + " selects by " + members + ", which no rule here reads");
            }
        }
    }

    private static void checkIngress(Rendered all, Manifest policy, Consumer<String> problem) {
        List<Manifest> selected = selected(all, policy.at("spec.podSelector"));
        if (selected.isEmpty()) {
            problem.accept("the policy " + policy.name() + " selects no pod");
        }
        Manifest.each(policy.at("spec.ingress")).flatMap(rule -> Manifest.each(Manifest.at(rule, "ports")))
                .map(port -> Manifest.text(port, "port"))
                .filter(port -> selected.stream().anyMatch(each -> !LinkRules.ports(each).contains(port)))
                .forEach(port -> problem.accept(
                        "the policy " + policy.name() + " lets in to " + port + ", which no container has"));
    }

    /// A long answer of a name server comes by TCP.
    private static void checkNames(Rendered all, Manifest workload, Consumer<String> problem) {
        for (String protocol : List.of("UDP", "TCP")) {
            if (isShut(all, workload, "53", protocol, peer -> Manifest.at(peer, "namespaceSelector.matchLabels")
                    .toString().equals("{\"kubernetes.io/metadata.name\":\"kube-system\"}"))) {
                problem.accept("no policy lets " + workload.name() + " out to name servers by " + protocol);
            }
        }
    }

    private static void checkCluster(
            Rendered all, Manifest workload, Manifest cluster, Consumer<String> problem) {
        String label = "{\"cnpg.io/cluster\":\"" + cluster.name() + "\"}";
        if (isShut(all, workload, "5432", "TCP",
                peer -> Manifest.at(peer, "podSelector.matchLabels").toString().equals(label)
                        && Manifest.at(peer, "namespaceSelector").isJsonNull())) {
            problem.accept("no policy lets " + workload.name() + " out to the pods of " + cluster.name());
        }
    }

    /// Whether no policy lets the workload out there.
    private static boolean isShut(
            Rendered all, Manifest workload, String port, String protocol, Predicate<JsonElement> peer) {
        return policies(all).filter(policy -> bounds(policy, "Egress"))
                .filter(policy -> selected(all, policy.at("spec.podSelector")).contains(workload))
                .flatMap(policy -> Manifest.each(policy.at("spec.egress")))
                .filter(rule -> Manifest.each(Manifest.at(rule, "to")).anyMatch(peer))
                .flatMap(rule -> Manifest.each(Manifest.at(rule, "ports")))
                .noneMatch(open -> Manifest.text(open, "port").equals(port)
                        && Manifest.text(open, "protocol").equals(protocol));
    }

    static List<Manifest> selected(Rendered all, JsonElement selector) {
        JsonElement values = Manifest.at(selector, "matchExpressions[0].values");
        if (!values.isJsonArray()) {
            return all.withPods(Manifest.at(selector, "matchLabels"));
        }
        return Manifest.each(values).flatMap(value -> {
            JsonObject label = new JsonObject();
            label.add(Manifest.text(selector, "matchExpressions[0].key"), value);
            return all.withPods(label).stream();
        }).toList();
    }
}

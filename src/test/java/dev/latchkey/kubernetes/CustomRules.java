package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Objects of operators, whose schema is not Kubernetes' own: a short list, each with the members that it may have here and
/// what must be true of it. Any other kind must fit Kubernetes' schema.
final class CustomRules {

    private static final Map<String, Set<String>> MEMBERS = Map.of(
            "monitoring.coreos.com/v1 ServiceMonitor", Set.of("selector", "endpoints", "namespaceSelector"),
            "monitoring.coreos.com/v1 PrometheusRule", Set.of("groups"),
            "external-secrets.io/v1 ExternalSecret", Set.of("refreshInterval", "secretStoreRef", "target", "data"),
            "postgresql.cnpg.io/v1 Cluster", Set.of(
                    "instances", "imageName", "postgresql", "bootstrap", "managed", "storage", "walStorage", "affinity",
                    "resources"));

    private CustomRules() {}

    static void check(Rendered all, Consumer<String> problem) {
        for (Manifest manifest : all.manifests()) {
            Set<String> members = MEMBERS.get(Manifest.text(manifest.at("apiVersion")) + " " + manifest.kind());
            if (members == null) {
                checkSchema(manifest, problem);
            } else if (!members.containsAll(Rendered.keys(manifest.at("spec")))) {
                problem.accept(
                        manifest.kind() + " has " + Rendered.keys(manifest.at("spec")) + " and may have " + members);
            }
        }
        all.ofKind("ServiceMonitor").forEach(each -> checkMonitor(all, each, problem));
        all.ofKind("ExternalSecret").forEach(each -> checkSecret(each, problem));
        all.ofKind("Cluster").forEach(each -> checkCluster(all, each, problem));
    }

    private static void checkSchema(Manifest manifest, Consumer<String> problem) {
        try {
            KubernetesSchema.check(manifest);
        } catch (RuntimeException e) {
            problem.accept(String.valueOf(e.getMessage()));
        }
    }

    private static void checkMonitor(Rendered all, Manifest monitor, Consumer<String> problem) {
        JsonObject wanted = monitor.at("spec.selector.matchLabels").getAsJsonObject();
        String port = Manifest.text(monitor.at("spec.endpoints[0].port"));
        long found = all.ofKind("Service")
                .filter(each -> each.at("metadata.labels").getAsJsonObject().entrySet().containsAll(wanted.entrySet()))
                .flatMap(each -> Manifest.each(each.at("spec.ports")))
                .filter(each -> Manifest.text(each, "name").equals(port)).count();
        if (found != 1) {
            problem.accept("the ServiceMonitor finds " + found + " services with the port " + port);
        }
    }

    private static void checkSecret(Manifest secret, Consumer<String> problem) {
        boolean whole = Manifest.text(secret.at("spec.secretStoreRef.kind")).equals("ClusterSecretStore")
                && !Manifest.text(secret.at("spec.secretStoreRef.name")).isEmpty()
                && Manifest.text(secret.at("spec.target.name")).equals(secret.name())
                && Manifest.each(secret.at("spec.data")).allMatch(each -> !Manifest.text(each, "secretKey").isEmpty()
                        && !Manifest.text(each, "remoteRef.key").isEmpty()
                        && !Manifest.text(each, "remoteRef.property").isEmpty());
        if (!whole) {
            problem.accept(
                    "the ExternalSecret " + secret.name() + " does not say all of store, target and what is where");
        }
    }

    private static void checkCluster(Rendered all, Manifest cluster, Consumer<String> problem) {
        JsonElement synchronous = cluster.at("spec.postgresql.synchronous");
        if (Manifest.number(cluster.at("spec.instances"), 0) < 3
                || !Manifest.text(synchronous, "method").equals("any")
                || !Manifest.text(synchronous, "number").equals("1")
                || !Manifest.text(synchronous, "dataDurability").equals("required")
                || !Manifest.text(synchronous, "failoverQuorum").equals("true")) {
            problem.accept("a failover may lose what was acknowledged, or leave one server: " + synchronous);
        }
        new Mounted(all, all.gateway(), problem).settings().map(SettingsRules::server).ifPresent(server -> {
            if (!server.url().contains("//" + cluster.name() + "-rw:5432/")) {
                problem.accept("ledger.url is " + server.url() + ", which is not the primary of " + cluster.name());
            }
            if (!Manifest.text(cluster.at("spec.managed.roles[0].name")).equals(server.user())) {
                problem.accept("PostgreSQL has no role " + server.user());
            }
        });
        for (String path : Set.of("bootstrap.initdb.secret", "managed.roles[0].passwordSecret")) {
            String name = Manifest.text(cluster.at("spec." + path + ".name"));
            if (all.secret(name).filter(Set.of("username", "password")::equals).isEmpty()) {
                problem.accept("PostgreSQL wants the secret " + name + " with username and password");
            }
        }
    }
}

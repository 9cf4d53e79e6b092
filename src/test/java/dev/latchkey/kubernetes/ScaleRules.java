package dev.latchkey.kubernetes;

import dev.latchkey.config.Settings;
import java.util.Optional;
import java.util.function.Consumer;

/// How many replicas there may be, and that PostgreSQL has the connections for them.
final class ScaleRules {

    /// Of superusers, the operator, replication and the migration.
    private static final int OTHER_CONNECTIONS = 20;

    private ScaleRules() {}

    static void check(Rendered all, Consumer<String> problem) {
        Manifest gateway = all.gateway();
        Optional<Manifest> scaler = all.ofKind("HorizontalPodAutoscaler").findFirst();
        boolean counted = gateway.at("spec.replicas").isJsonPrimitive();
        if (counted == scaler.isPresent()) {
            problem.accept("the deployment says " + (counted ? "" : "no ") + "replicas, and there is "
                    + (scaler.isPresent() ? "a" : "no") + " scaler");
        }
        if (Manifest.number(gateway.at("spec.strategy.rollingUpdate.maxUnavailable"), 1) != 0
                || Manifest.number(gateway.at("spec.strategy.rollingUpdate.maxSurge"), 0) < 1) {
            problem.accept("a rollout takes a replica away before another one is ready");
        }
        if (all.ofKind("PodDisruptionBudget")
                .noneMatch(each -> Manifest.number(each.at("spec.maxUnavailable"), 0) == 1)) {
            problem.accept("no budget holds disruptions to one replica at a time");
        }
        scaler.ifPresent(each -> checkScaler(each, problem));
        checkConnections(all, scaler.map(each -> Manifest.number(each.at("spec.maxReplicas"), 0)).orElse(0), problem);
    }

    private static void checkScaler(Manifest scaler, Consumer<String> problem) {
        int least = Manifest.number(scaler.at("spec.minReplicas"), 1);
        if (least < 2 || least > Manifest.number(scaler.at("spec.maxReplicas"), 0)) {
            problem.accept("minReplicas is " + least);
        }
        if (Manifest.number(scaler.at("spec.behavior.scaleDown.stabilizationWindowSeconds"), 0) < 60) {
            problem.accept("replicas would be taken away faster than they drain");
        }
    }

    private static void checkConnections(Rendered all, int most, Consumer<String> problem) {
        Optional<Manifest> cluster = all.ofKind("Cluster").findFirst();
        Optional<Settings> settings = new Mounted(all, all.gateway(), said -> {}).settings();
        if (cluster.isEmpty() || settings.isEmpty()) {
            return;
        }
        int surge = Manifest.number(all.gateway().at("spec.strategy.rollingUpdate.maxSurge"), 0);
        int wanted = (most + surge) * settings.get().ledger().connections() + OTHER_CONNECTIONS;
        int there = Integer.parseInt(Manifest.text(cluster.get().at("spec.postgresql.parameters.max_connections")));
        if (wanted > there) {
            problem.accept("the replicas may want " + wanted + " connections, and PostgreSQL has " + there);
        }
    }
}

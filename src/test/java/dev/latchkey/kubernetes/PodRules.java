package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// What a pod must be, in a namespace that enforces the restricted profile and on a read-only root.
final class PodRules {

    private static final Set<String> VOLUMES = Set.of("name", "configMap", "secret", "emptyDir");

    private PodRules() {}

    static void check(Rendered all, Consumer<String> problem) {
        all.workloads().forEach(workload -> checkPod(workload, problem));
        for (Manifest namespace : all.ofKind("Namespace").toList()) {
            JsonElement label = namespace.at("metadata.labels").getAsJsonObject()
                    .get("pod-security.kubernetes.io/enforce");
            if (label == null || !Manifest.text(label).equals("restricted")) {
                problem.accept("the namespace " + namespace.name() + " does not enforce the restricted profile");
            }
            all.manifests().stream().filter(each -> !each.equals(namespace))
                    .filter(each -> !Manifest.text(each.at("metadata.namespace")).equals(namespace.name()))
                    .forEach(each -> problem.accept(each.kind() + " " + each.name() + " is in another namespace"));
        }
    }

    private static void checkPod(Manifest workload, Consumer<String> problem) {
        JsonElement pod = Rendered.pod(workload);
        Fields fields = new Fields(workload.name(), pod, problem);
        fields.is("securityContext.runAsNonRoot", "true");
        fields.is("securityContext.runAsUser", "10001");
        fields.is("securityContext.runAsGroup", "10001");
        fields.is("securityContext.seccompProfile.type", "RuntimeDefault");
        fields.is("automountServiceAccountToken", "false");
        List.of("hostNetwork", "hostPID", "hostIPC").forEach(host -> fields.is(host, ""));
        Manifest.each(Manifest.at(pod, "volumes")).flatMap(volume -> Rendered.keys(volume).stream())
                .filter(kind -> !VOLUMES.contains(kind))
                .forEach(kind -> problem.accept(workload.name() + " has a volume of the kind " + kind));
        Rendered.containers(workload).forEach(container -> checkContainer(container, problem));
        checkMounts(workload, problem);
    }

    private static void checkContainer(JsonElement container, Consumer<String> problem) {
        Fields fields = new Fields(Manifest.text(container, "name"), container, problem);
        fields.is("securityContext.allowPrivilegeEscalation", "false");
        fields.is("securityContext.readOnlyRootFilesystem", "true");
        fields.is("securityContext.privileged", "");
        fields.is("securityContext.runAsUser", "");
        fields.is("ports[0].hostPort", "");
        // A limit on CPU throttles; memory that is not reserved can be taken away.
        fields.is("resources.limits.cpu", "");
        fields.is("resources.requests.memory", Manifest.text(container, "resources.limits.memory"));
        String capabilities = Manifest.at(container, "securityContext.capabilities").toString();
        if (!capabilities.equals("{\"drop\":[\"ALL\"]}")) {
            problem.accept(Manifest.text(container, "name") + " has capabilities " + capabilities);
        }
        if (Manifest.text(container, "resources.limits.memory").isEmpty()) {
            problem.accept(Manifest.text(container, "name") + " has no limit of memory");
        }
    }

    private static void checkMounts(Manifest workload, Consumer<String> problem) {
        Set<String> there = Manifest.each(Manifest.at(Rendered.pod(workload), "volumes"))
                .map(volume -> Manifest.text(volume, "name")).collect(Collectors.toSet());
        Set<String> mounted = Rendered.containers(workload).stream()
                .flatMap(container -> Manifest.each(Manifest.at(container, "volumeMounts")))
                .map(mount -> Manifest.text(mount, "name")).collect(Collectors.toSet());
        if (!there.equals(mounted)) {
            problem.accept(workload.name() + " has the volumes " + there + " and mounts " + mounted);
        }
        Rendered.containers(workload).stream()
                .filter(each -> Manifest.each(Manifest.at(each, "volumeMounts"))
                        .noneMatch(mount -> Manifest.text(mount, "mountPath").equals("/tmp")))
                .forEach(each -> problem.accept(Manifest.text(each, "name") + " has no /tmp to write to"));
    }

    /// The parts of one object, and who hears of those that are wrong.
    private record Fields(String of, JsonElement object, Consumer<String> problem) {

        void is(String path, String wanted) {
            String found = Manifest.text(object, path);
            if (!found.equals(wanted)) {
                problem.accept(of + " has " + path + " '" + found + "' and not '" + wanted + "'");
            }
        }
    }
}

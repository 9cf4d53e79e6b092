package dev.latchkey.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Base and overlays, as kubectl renders them, hold every rule; and each rule sees what breaks it.
class OverlaysIT {

    /// What is held against the objects of an overlay.
    enum Rule {
        POD,
        LINK,
        POLICY,
        SETTINGS,
        SCALE,
        CUSTOM;

        List<String> problems(String yaml) {
            Rendered all = new Rendered(Manifest.read(yaml));
            List<String> problems = new ArrayList<>();
            switch (this) {
                case POD -> PodRules.check(all, problems::add);
                case LINK -> LinkRules.check(all, problems::add);
                case POLICY -> PolicyRules.check(all, problems::add);
                case SETTINGS -> SettingsRules.check(all, problems::add);
                case SCALE -> ScaleRules.check(all, problems::add);
                case CUSTOM -> CustomRules.check(all, problems::add);
            }
            return problems;
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FILES")
    void everyOverlayHoldsEveryRule(Source source) throws Exception {
        for (Rule rule : Rule.values()) {
            assertThat(rule.problems(source.text())).as("%s of %s", rule, source).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|', value = {
                "POD|DEV|enforce: restricted|enforce: baseline|does not enforce the restricted profile",
                "POD|DEV|namespace: latchkey-dev|namespace: other|is in another namespace",
                "POD|PROD|runAsNonRoot: true|runAsNonRoot: false|securityContext.runAsNonRoot",
                "POD|PROD|runAsUser: 10001|runAsUser: 0|securityContext.runAsUser",
                "POD|PROD|type: RuntimeDefault|type: Unconfined|seccompProfile",
                "POD|PROD|automountServiceAccountToken: false|automountServiceAccountToken: true|automountServiceAccountToken",
                "POD|PROD|enableServiceLinks: false|hostNetwork: true|hostNetwork",
                "POD|PROD|emptyDir:|hostPath:|a volume of the kind hostPath",
                "POD|PROD|allowPrivilegeEscalation: false|allowPrivilegeEscalation: true|allowPrivilegeEscalation",
                "POD|PROD|readOnlyRootFilesystem: true|readOnlyRootFilesystem: false|readOnlyRootFilesystem",
                "POD|PROD|- ALL|- NET_RAW|has capabilities",
                "POD|PROD|512Mi\\n          requests|512Mi\\n            cpu: 1\\n          requests|resources.limits.cpu",
                "POD|PROD|memory: 1Gi\\n          requests|memory: 2Gi\\n          requests|resources.requests.memory",
                "POD|PROD|- mountPath: /tmp|- mountPath: /temp|has no /tmp to write to",
                "POD|PROD|mountPath: /tmp\\n          name: tmp|mountPath: /tmp\\n          name: temp|has the volumes",
                "LINK|PROD|matchLabels:|matchNames:|does not select the gateway alone",
                "LINK|PROD|app.kubernetes.io/name: latchkey-migrate|app.kubernetes.io/name: latchkey|does not select the gateway alone",
                "LINK|PROD|targetPort: http|targetPort: htpp|which no container has",
                "LINK|PROD|targetPort: http|targetPort: management|an ingress may point at leads to",
                "POLICY|PROD|- latchkey-migrate|- latchkey-migration|no policy bounds the Ingress of latchkey-migrate",
                "POLICY|PROD|- Egress|- Ingress|no policy bounds the Egress",
                "POLICY|PROD|port: management|port: metrics|lets in to metrics",
                "POLICY|PROD|operator: In|operator: NotIn|which no rule here reads",
                "POLICY|PROD|cnpg.io/cluster: latchkey-postgres|cnpg.io/cluster: postgres|lets latchkey out to the pods of latchkey-postgres",
                "POLICY|PROD|cnpg.io/cluster: latchkey-postgres|cnpg.io/cluster: postgres|lets latchkey-migrate out to the pods of latchkey-postgres",
                "POLICY|PROD|protocol: UDP|protocol: SCTP|lets latchkey out to name servers by UDP",
                "POLICY|PROD|protocol: UDP|protocol: SCTP|lets latchkey-migrate out to name servers by UDP",
                "POLICY|DEV|port: 53\\n      protocol: TCP|port: 54\\n      protocol: TCP|lets latchkey out to name servers by TCP",
                "POLICY|PROD|kubernetes.io/metadata.name: kube-system|kubernetes.io/metadata.name: kube|lets latchkey out to name servers",
                "LINK|PROD|path: /health/ready|path: /health/live|readinessProbe asks",
                "LINK|PROD|path: /health/live|path: /health/ready|livenessProbe asks",
                "LINK|PROD|port: management|port: http|startupProbe asks",
                "LINK|PROD|serviceAccountName: latchkey|serviceAccountName: latchky|which is not there",
                "LINK|PROD|secretName: latchkey|secretName: latchky|which nobody makes",
                "LINK|PROD|key: url|key: uri|which is not there",
                "LINK|PROD|apps/v1\\n    kind: Deployment|apps/v1\\n    kind: StatefulSet|names the StatefulSet",
                "LINK|DEV|kind: PodDisruptionBudget|kind: Pod|a budget and two constraints",
                "SETTINGS|PROD|durability: replicated|durability: safe|durability",
                "SETTINGS|PROD|prefix: /payments|prefixes: /payments|prefix",
                "SETTINGS|PROD|containerPort: 8080|containerPort: 8081|containerPort http",
                "SETTINGS|PROD|port: 9090|port: 9091|containerPort management",
                "SETTINGS|PROD|host: 0.0.0.0|host: 127.0.0.1|listen.host",
                "SETTINGS|PROD|terminationGracePeriodSeconds: 70|terminationGracePeriodSeconds: 67|68 s are needed",
                "SETTINGS|PROD|sleep:|exec:|with a preStop of 0",
                "SETTINGS|PROD|timeout: 45s|timeout: 40s|not longer than the lease of payments",
                "SETTINGS|PROD|payments:8080|payments:8088|no policy lets out to port 8088",
                "SETTINGS|PROD|rw:5432|rw:6432|no policy lets out to port 6432",
                "SETTINGS|PROD|migrate: false|migrate: true|would change the schema themselves",
                "SETTINGS|PROD|user: latchkey_migrate|user: latchkey|have one role",
                "SETTINGS|PROD|secretName: latchkey-migrate|secretName: latchkey-ledger|share the secret",
                "SETTINGS|PROD|latchkey/payments-token|latchkey/payment-token|does not have",
                "SETTINGS|PROD|file:/run/secrets/latchkey|file:/run/secrets/other|where no secret is mounted",
                "SETTINGS|DEV|clients:\\n      - name: pipelines\\n        token-sha256: \"${file:/run/secrets/latchkey/pipelines-token-sha256}\"|clients: open|lets everybody in",
                "SCALE|PROD|minReadySeconds: 5|replicas: 3|the deployment says replicas, and there is a scaler",
                "SCALE|DEV|replicas: 1|paused: false|the deployment says no replicas, and there is no scaler",
                "SCALE|PROD|maxUnavailable: 0|maxUnavailable: 1|a rollout takes a replica away",
                "SCALE|PROD|maxUnavailable: 1|maxUnavailable: 2|no budget holds disruptions",
                "SCALE|PROD|minReplicas: 3|minReplicas: 1|minReplicas is 1",
                "SCALE|PROD|stabilizationWindowSeconds: 300|stabilizationWindowSeconds: 0|faster than they drain",
                "SCALE|PROD|maxReplicas: 10|maxReplicas: 20|may want 188 connections",
                "CUSTOM|PROD|kind: ExternalSecret|kind: ExternalSecrets|Kubernetes knows no",
                "CUSTOM|PROD|policy/v1|apps/v1|Kubernetes knows no PodDisruptionBudget of apps/v1",
                "CUSTOM|PROD|apps/v1|batch/v1|Kubernetes knows no Deployment of batch/v1",
                "CUSTOM|DEV|replicas: 1|replicas: \"1\"|replicas is a text and should be a number",
                "CUSTOM|PROD|containerPort: 8080|containerPort: \"8080\"|containerPort is a text and should be a number",
                "CUSTOM|PROD|runAsNonRoot: true|runAsNonRoot: \"true\"|runAsNonRoot is a text and should be a boolean",
                "CUSTOM|PROD|value: -XX:ActiveProcessorCount=2|value: 5|value is a number and should be a text",
                "CUSTOM|PROD|failureThreshold: 3|failureTreshold: 3|failureTreshold",
                "CUSTOM|PROD|memory: 1Gi|memory: 1 Gig|numeric part of quantity",
                "CUSTOM|PROD|path: /metrics\\n    port: management|path: /metrics\\n    port: metrics|the ServiceMonitor finds 0",
                "CUSTOM|PROD|instances: 3|replicas: 3|may have",
                "CUSTOM|PROD|instances: 3|instances: 2|may lose what was acknowledged",
                "CUSTOM|PROD|dataDurability: required|dataDurability: preferred|may lose what was acknowledged",
                "CUSTOM|PROD|latchkey-postgres-rw|latchkey-postgres-ro|which is not the primary",
                "CUSTOM|PROD|passwordSecret:|passwords:|PostgreSQL wants the secret",
                "CUSTOM|PROD|remoteRef:|ref:|does not say all",
                "CUSTOM|PROD|user: latchkey\\n|user: other\\n|PostgreSQL has no role other"
            })
    void ruleSeesWhatIsBroken(Rule rule, Source source, String right, String wrong, String said) throws Exception {
        String rendered = source.text();
        String broken = rendered.replace(lines(right), lines(wrong));
        assertThat(broken).isNotEqualTo(rendered);
        assertThat(rule.problems(broken)).anySatisfy(problem -> assertThat(problem).contains(said));
    }

    /// A share of pods instead of a number, and a quantity as a number.
    @ParameterizedTest
    @CsvSource({"maxUnavailable: 1,maxUnavailable: 50%", "memory: 1Gi,memory: 1073741824", "cpu: 500m,cpu: 0.5"})
    void whatKubernetesReadsEitherWayIsNotRefused(String usual, String other) throws Exception {
        String rendered = Source.PROD.text();
        String changed = rendered.replace(usual, other);
        assertThat(changed).isNotEqualTo(rendered);
        assertThat(Rule.CUSTOM.problems(changed)).isEmpty();
    }

    private static String lines(String text) {
        return text.replace("\\n", "\n");
    }
}

package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import dev.latchkey.config.Clients;
import dev.latchkey.config.LedgerPlace;
import dev.latchkey.config.RouteSettings;
import dev.latchkey.config.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// The settings in ConfigMaps pass `latchkey check`, and pods, policies and secrets are as they need them.
final class SettingsRules {

    private static final String LEDGER = "/run/secrets/ledger";
    /// After a drain that timed out, at the most: a second to cut what is under way, five for the last bytes of answers, two to
    /// close the ledger, three for spans and two for the last lines of the log.
    private static final Duration TO_STOP = Duration.ofSeconds(13);

    private SettingsRules() {}

    static void check(Rendered all, Consumer<String> problem) {
        Mounted mounted = new Mounted(all, all.gateway(), problem);
        mounted.settings().ifPresent(settings -> {
            checkClients(settings, problem);
            checkPorts(all.gateway(), settings, problem);
            checkGrace(all.gateway(), settings, problem);
            checkWayOut(all, settings, problem);
            Manifest job = all.find("Job", "latchkey-migrate").orElseThrow();
            Mounted migration = new Mounted(all, job, problem);
            migration.settings().ifPresent(other -> checkRoles(settings, other, problem));
            if (mounted.secretAt(LEDGER).equals(migration.secretAt(LEDGER))) {
                problem.accept("replicas and migration share the secret " + mounted.secretAt(LEDGER));
            }
        });
    }

    private static void checkClients(Settings settings, Consumer<String> problem) {
        if (!(settings.clients() instanceof Clients.Listed)) {
            problem.accept("an example lets everybody in");
        }
    }

    private static void checkPorts(Manifest gateway, Settings settings, Consumer<String> problem) {
        same(problem, "containerPort http", port(gateway, "http"), settings.listen().port());
        same(problem, "containerPort management", port(gateway, "management"), settings.management().port());
        same(problem, "listen.host", "0.0.0.0", settings.listen().host());
        same(problem, "management.host", "0.0.0.0", settings.management().host());
    }

    private static void checkGrace(Manifest gateway, Settings settings, Consumer<String> problem) {
        Duration preStop = seconds(Rendered.program(gateway), "lifecycle.preStop.sleep.seconds");
        Duration grace = seconds(Rendered.pod(gateway), "terminationGracePeriodSeconds");
        Duration wanted = preStop.plus(settings.drain().delay()).plus(settings.drain().timeout()).plus(TO_STOP);
        if (!preStop.isPositive() || grace.compareTo(wanted) < 0) {
            problem.accept("terminationGracePeriodSeconds is " + grace.toSeconds() + ", with a preStop of "
                    + preStop.toSeconds() + ", and " + wanted.toSeconds() + " s are needed");
        }
        for (RouteSettings route : settings.routes()) {
            if (settings.lease(route).compareTo(settings.drain().timeout()) >= 0) {
                problem.accept("drain.timeout is not longer than the lease of " + route.name());
            }
        }
    }

    /// Each downstream and the ledger can be reached: the policies let their ports out.
    private static void checkWayOut(Rendered all, Settings settings, Consumer<String> problem) {
        Set<Integer> open = all.ofKind("NetworkPolicy")
                .filter(policy -> PolicyRules.selected(all, policy.at("spec.podSelector")).contains(all.gateway()))
                .flatMap(policy -> Manifest.each(policy.at("spec.egress")))
                .flatMap(rule -> Manifest.each(Manifest.at(rule, "ports")))
                .map(port -> Manifest.at(port, "port").getAsInt()).collect(Collectors.toSet());
        for (RouteSettings route : settings.routes()) {
            URI url = URI.create(route.downstream().url().toString());
            int port = url.getPort() > 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
            if (!open.contains(port) && !url.getHost().equals("127.0.0.1")) {
                problem.accept("no policy lets out to port " + port + " of the downstream of " + route.name());
            }
        }
        int ledger = URI.create(server(settings).url().substring("jdbc:".length())).getPort();
        if (!open.contains(ledger)) {
            problem.accept("no policy lets out to port " + ledger + " of the ledger");
        }
    }

    private static void checkRoles(Settings replicas, Settings migration, Consumer<String> problem) {
        if (replicas.ledger().migrate()) {
            problem.accept("the replicas would change the schema themselves");
        }
        if (Objects.equals(server(replicas).user(), server(migration).user())) {
            problem.accept("replicas and migration have one role, " + server(replicas).user());
        }
        same(problem, "the migration's ledger.url", server(replicas).url(), server(migration).url());
    }

    static LedgerPlace.Server server(Settings settings) {
        return (LedgerPlace.Server) settings.ledger().place();
    }

    private static int port(Manifest gateway, String name) {
        return Manifest.each(Manifest.at(Rendered.program(gateway), "ports"))
                .filter(port -> Manifest.text(port, "name").equals(name))
                .mapToInt(port -> Manifest.at(port, "containerPort").getAsInt()).findFirst().orElse(0);
    }

    private static Duration seconds(JsonElement from, String path) {
        JsonElement found = Manifest.at(from, path);
        return found.isJsonPrimitive() ? Duration.ofSeconds(found.getAsLong()) : Duration.ZERO;
    }

    private static void same(Consumer<String> problem, String what, Object wanted, Object found) {
        if (!wanted.equals(found)) {
            problem.accept(what + ": the pod has " + wanted + ", and the settings have " + found);
        }
    }
}

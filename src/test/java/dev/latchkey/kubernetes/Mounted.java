package dev.latchkey.kubernetes;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import dev.latchkey.config.SettingsLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The settings of one workload as its program finds them: the file out of its ConfigMap, variables of its environment, and
/// files of the secrets that it mounts, each of which must be there.
final class Mounted {

    private static final Pattern FILE = Pattern.compile("\\$\\{file:([^}]+)/([^/}]+)}");
    /// Fits wherever a text of a secret is wanted.
    private static final String ANY_SECRET = "0123456789abcdef".repeat(4);

    private final Rendered all;
    private final Manifest workload;
    private final Consumer<String> problem;

    Mounted(Rendered all, Manifest workload, Consumer<String> problem) {
        this.all = all;
        this.workload = workload;
        this.problem = problem;
    }

    /// Empty where `latchkey check` would find a problem; then it is said.
    Optional<Settings> settings() {
        try {
            return Optional.of(new SettingsLoader(environment()::get).read(workload.name(), withFiles(text())));
        } catch (SettingsException e) {
            problem.accept(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /// The secret that is mounted there; empty where none is.
    String secretAt(String mountPath) {
        return Manifest.text(volumeAt(mountPath), "secret.secretName");
    }

    /// The file that the program is started with.
    private String text() {
        String file = Manifest.text(Rendered.program(workload), "args[2]");
        int slash = file.lastIndexOf('/');
        String map = Manifest.text(volumeAt(file.substring(0, Math.max(0, slash))), "configMap.name");
        return all.find("ConfigMap", map).map(each -> each.at("data").getAsJsonObject().get(file.substring(slash + 1)))
                .map(Manifest::text).orElse("");
    }

    private JsonElement volumeAt(String mountPath) {
        String volume = Manifest.each(Manifest.at(Rendered.program(workload), "volumeMounts"))
                .filter(mount -> Manifest.text(mount, "mountPath").equals(mountPath))
                .map(mount -> Manifest.text(mount, "name")).findFirst().orElse("");
        return Manifest.each(Manifest.at(Rendered.pod(workload), "volumes"))
                .filter(each -> Manifest.text(each, "name").equals(volume)).findFirst().orElse(JsonNull.INSTANCE);
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        for (JsonElement variable : Manifest.each(Manifest.at(Rendered.program(workload), "env")).toList()) {
            JsonElement from = Manifest.at(variable, "valueFrom.configMapKeyRef");
            String value = all.find("ConfigMap", Manifest.text(from, "name"))
                    .map(map -> map.at("data").getAsJsonObject().get(Manifest.text(from, "key")))
                    .map(Manifest::text).orElse(Manifest.text(variable, "value"));
            environment.put(Manifest.text(variable, "name"), value);
        }
        return environment;
    }

    private String withFiles(String yaml) {
        Matcher matcher = FILE.matcher(yaml);
        return matcher.replaceAll(file -> Matcher.quoteReplacement(secretText(file)));
    }

    private String secretText(MatchResult file) {
        String secret = secretAt(file.group(1));
        if (secret.isEmpty()) {
            problem.accept(workload.name() + " reads " + file.group() + ", where no secret is mounted");
        } else if (all.secret(secret).filter(keys -> !keys.contains(file.group(2))).isPresent()) {
            problem.accept(
                    workload.name() + " reads " + file.group() + ", which the secret " + secret + " does not have");
        }
        return ANY_SECRET;
    }
}

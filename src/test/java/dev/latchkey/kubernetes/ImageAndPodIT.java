package dev.latchkey.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The pod runs the image as the image means to be run. Whether the image builds and runs is for `src/test/image/run.sh`.
class ImageAndPodIT {

    private static final String CONTAINER = "spec.template.spec.containers[0]";

    private final List<String> dockerfile = Manifest.text(Path.of("Dockerfile")).lines().toList();
    private Manifest deployment;

    @BeforeEach
    void read() throws Exception {
        deployment = Source.FILES.manifests().stream()
                .filter(manifest -> manifest.kind().equals("Deployment"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void podRunsAsTheImagesUser() {
        JsonElement pod = deployment.at("spec.template.spec.securityContext");
        assertThat(instruction("USER")).isEqualTo(
                Manifest.at(pod, "runAsUser").getAsString() + ":"
                        + Manifest.at(pod, "runAsGroup").getAsString());
    }

    @Test
    void podNamesThePortsThatTheImageExposes() {
        assertThat(instruction("EXPOSE").split(" ")).containsExactlyElementsOf(
                Manifest.each(deployment.at(CONTAINER + ".ports"))
                        .map(port -> Manifest.at(port, "containerPort").getAsString())
                        .toList());
    }

    @Test
    void podLeavesTheJvmAndTheCommandToTheImage() {
        assertThat(deployment.at(CONTAINER + ".command").isJsonNull()).isTrue();
        assertThat(deployment.at(CONTAINER + ".args")).isEqualTo(arguments("CMD"));
    }

    @Test
    void javaIsTheFirstProcessAndGetsTheSignal() {
        List<String> words = arguments("ENTRYPOINT").asList().stream().map(JsonElement::getAsString).toList();
        assertThat(words).startsWith("java").contains("-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError");
        assertThat(words).filteredOn(word -> word.matches("-XX:\\+Use[A-Z0-9a-z]*GC")).hasSize(1);
    }

    /// Java takes a cache only with the collector that it was made with.
    @Test
    void cacheIsMadeAsItIsUsed() {
        List<String> training =
                dockerfile.stream().filter(line -> line.startsWith("RUN bash /training/train.sh")).toList();
        assertThat(training).hasSize(1);
        List<String> words = List.of(training.getFirst().split(" "));
        List<String> options = words.stream().filter(word -> word.startsWith("-XX:")).toList();
        List<String> entryPoint = arguments("ENTRYPOINT").asList().stream().map(JsonElement::getAsString).toList();
        assertThat(entryPoint).containsAll(options).filteredOn(word -> word.endsWith("GC")).isSubsetOf(options);
        assertThat(dockerfile)
                .contains("COPY --from=training --chown=0:0 " + words.get(3) + " /opt/latchkey/latchkey.aot");
        assertThat(entryPoint).contains("-XX:AOTCache=/opt/latchkey/latchkey.aot");
    }

    private JsonArray arguments(String name) {
        return JsonParser.parseString(instruction(name)).getAsJsonArray();
    }

    private String instruction(String name) {
        List<String> found = dockerfile.stream().filter(line -> line.startsWith(name + " ")).distinct().toList();
        assertThat(found).hasSize(1);
        return found.getFirst().substring(name.length() + 1);
    }
}

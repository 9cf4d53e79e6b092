package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import jakarta.annotation.Nonnull;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that generators make from the public contract, and nothing else, tell the whole story against the gateway: in
/// each language the lines of `src/test/clients/story.txt`.
@EndToEnd
final class ClientStoriesIT {

    private static final Path GENERATED = Path.of("target", "generated-clients").toAbsolutePath();
    private static final Path CONTRACT = Path.of("openapi", "latchkey.yaml").toAbsolutePath();
    private static final Path STORIES = Path.of("src", "test", "clients").toAbsolutePath();

    private final World world;
    private final RawDownstream downstream;

    ClientStoriesIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    @Test
    void generatedJavaClientTellsTheWholeStory(@TempDir Path classes) throws Exception {
        String libraries = libraries();
        List<String> sources = new ArrayList<>(javaFiles(generated("java").resolve("src/main/java")));
        sources.addAll(javaFiles(STORIES.resolve("java")));
        List<String> options = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-classpath", libraries, "-d", classes.toString()));
        options.addAll(sources);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .as("javac").isZero();
        tells("java-story", Map.of(), Tool.java(), "-classpath", classes + File.pathSeparator + libraries,
                "story.Story");
    }

    @Test
    void generatedPythonClientTellsTheWholeStoryOnDebiansPackages() throws Exception {
        String python = Tool.python(
                "pydantic, dateutil, urllib3, typing_extensions",
                "Debian's python3-pydantic python3-dateutil python3-urllib3 python3-typing-extensions");
        tells("python-story",
                Map.of("PYTHONPATH", generated("python").toString(), "PYTHONDONTWRITEBYTECODE", "1"),
                python, STORIES.resolve("python/story.py").toString());
    }

    @Test
    void generatedTypeScriptClientTellsTheWholeStory() throws Exception {
        Path folder = NodePackages.installed();
        NodePackages.copy("tsconfig.json");
        NodePackages.copy("story.ts");
        builds(folder, "node_modules/.bin/openapi-typescript", CONTRACT.toString(), "--output", "latchkey.d.ts");
        builds(folder, "node_modules/.bin/tsc");
        tells("typescript-story", Map.of(), "node", folder.resolve("build/story.js").toString());
    }

    /// Runs the program with the gateway, a token and the name of its own path, and holds what it prints against the story.
    private void tells(String name, Map<String, String> environment, String... program) throws Exception {
        Gate gate = new Gate();
        String path = "/pay/" + name;
        downstream.at(path, Step.json(201, "{\"paid\":\"first\"}"), gate.before(Step.json(201, "{}")));
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of("http://127.0.0.1:" + world.gateway().port(), ALICE.token(), name));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Tool.Ran> story = threads.submit(() -> Tool.run(Path.of(""), environment, command));
            await().until(() -> story.isDone()
                    || Metrics.of(world.gateway()).sum("latchkey_calls_waiting") >= 1);
            gate.open();
            assertThat(story.get().output())
                    .isEqualTo(Files.readString(STORIES.resolve("story.txt")).replace("NAME", name));
            assertThat(story.get().exit()).isZero();
        }
        assertThat(downstream.receivedAt(path)).hasSize(2);
        assertThat(downstream.receivedAt(path + "/refunds/1")).hasSize(1);
    }

    private static void builds(Path folder, String... command) {
        Tool.Ran ran = Tool.run(folder, Map.of(), List.of(command));
        assertThat(ran.exit()).as(ran.output()).isZero();
    }

    private static Path generated(String language) {
        Path folder = GENERATED.resolve(language);
        assertThat(folder).as("made by mvn openapi-generator:generate@" + language + "-client").isDirectory();
        return folder;
    }

    private static List<String> javaFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toString).filter(file -> file.endsWith(".java")).toList();
        }
    }

    /// What the generated client needs: Jackson, and the annotations of Jakarta.
    private static String libraries() {
        return Stream.of(ObjectMapper.class, JsonParser.class, JsonProperty.class, JavaTimeModule.class, Nonnull.class)
                .map(ClientStoriesIT::jar)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String jar(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

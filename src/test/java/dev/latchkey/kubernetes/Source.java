package dev.latchkey.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// Where the manifests come from: always from the files as they are written, and as kubectl renders them where there is
/// a kubectl.
enum Source {

    FILES {
        @Override
        List<Manifest> manifests() throws IOException {
            try (Stream<Path> files = Files.list(BASE)) {
                return Manifest.readAll(files.filter(Source::holdsManifests).sorted().toList());
            }
        }
    },

    KUBECTL {
        @Override
        List<Manifest> manifests() throws IOException, InterruptedException {
            return Manifest.read(render());
        }
    };

    static final Path BASE = Path.of("k8s", "base");

    abstract List<Manifest> manifests() throws IOException, InterruptedException;

    private static boolean holdsManifests(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(".yaml") && !name.equals("kustomization.yaml") && !name.equals("latchkey.yaml");
    }

    private static String render() throws IOException, InterruptedException {
        Path out = Files.createTempFile("latchkey-k8s", ".yaml");
        try {
            Process kubectl;
            try {
                kubectl = new ProcessBuilder("kubectl", "kustomize", BASE.toString())
                        .redirectOutput(out.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
            } catch (IOException e) {
                System.err.println("SKIPPED: the manifests were not rendered, since there is no kubectl here");
                return Assumptions.abort("no kubectl: " + e.getMessage());
            }
            if (!kubectl.waitFor(60, TimeUnit.SECONDS) || kubectl.exitValue() != 0) {
                kubectl.destroyForcibly();
                throw new IOException("kubectl kustomize " + BASE + " failed");
            }
            return Files.readString(out, StandardCharsets.UTF_8);
        } finally {
            Files.delete(out);
        }
    }
}

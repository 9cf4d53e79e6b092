package dev.latchkey.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/// Where the manifests come from: the files as they are written, and the base and each overlay as kubectl renders them, where
/// there is a kubectl.
enum Source {

    FILES(null),
    KUBECTL("k8s/base"),
    DEV("k8s/overlays/dev"),
    PROD("k8s/overlays/prod");

    static final Path BASE = Path.of("k8s", "base");

    private static final Map<Source, String> RENDERED = new ConcurrentHashMap<>();

    private final @Nullable String folder;

    Source(@Nullable String folder) {
        this.folder = folder;
    }

    List<Manifest> manifests() throws IOException, InterruptedException {
        if (folder != null) {
            return Manifest.read(text());
        }
        try (Stream<Path> files = Files.list(BASE)) {
            return Manifest.readAll(files.filter(Source::holdsManifests).sorted().toList());
        }
    }

    /// What kubectl renders.
    String text() throws IOException, InterruptedException {
        String rendered = RENDERED.get(this);
        if (rendered == null) {
            rendered = render(String.valueOf(folder));
            RENDERED.put(this, rendered);
        }
        return rendered;
    }

    private static boolean holdsManifests(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(".yaml") && !name.equals("kustomization.yaml") && !name.startsWith("latchkey");
    }

    private static String render(String folder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("latchkey-k8s", ".yaml");
        try {
            Process kubectl;
            try {
                kubectl = new ProcessBuilder("kubectl", "kustomize", folder)
                        .redirectOutput(out.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
            } catch (IOException e) {
                System.err.println("SKIPPED: " + folder + " was not rendered, since there is no kubectl here");
                return Assumptions.abort("no kubectl: " + e.getMessage());
            }
            if (!kubectl.waitFor(60, TimeUnit.SECONDS) || kubectl.exitValue() != 0) {
                kubectl.destroyForcibly();
                throw new IOException("kubectl kustomize " + folder + " failed");
            }
            return Files.readString(out, StandardCharsets.UTF_8);
        } finally {
            Files.delete(out);
        }
    }
}

package dev.latchkey.e2e;

import dev.latchkey.testing.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/// What Java loads to start the packaged program, read and linked beforehand (an AOT cache), so that dozens of starts cost
/// half. One process of a whole run makes it beside the first suites; programs that start earlier go without. Java heeds a
/// cache only together with the very files that it was made of, and says nothing: so it bears their times and sizes in its
/// name; nor does it use one under a debugger. Safe for any number of threads.
final class StartCache {

    private static final Path FOLDER = Path.of("target", "start-cache").toAbsolutePath();
    private static final Path JAR =
            Path.of(System.getProperty("latchkey.jar", "target/latchkey.jar")).toAbsolutePath();
    private static final AtomicBoolean ASKED = new AtomicBoolean();

    private StartCache() {}

    /// The packaged program.
    static Path jar() {
        if (!Files.exists(JAR)) {
            throw new IllegalStateException("no " + JAR + ": run mvn -DskipTests package first");
        }
        return JAR;
    }

    /// The cache, once it is there. In a whole run the first who asks has it made.
    static Optional<Path> made() {
        Path cache = FOLDER.resolve(name() + ".aot");
        if (Files.exists(cache)) {
            return Optional.of(cache);
        }
        if (Seen.byManyProcesses() && !ASKED.getAndSet(true)) {
            Thread.ofPlatform().daemon().name("start cache").start(() -> makeUnlessAnotherDoes(cache));
        }
        return Optional.empty();
    }

    private static String name() {
        StringBuilder files = new StringBuilder(System.getProperty("java.vm.version"));
        try (Stream<Path> libraries = Files.list(JAR.resolveSibling("lib"))) {
            for (Path each : Stream.concat(Stream.of(jar()), libraries.sorted()).toList()) {
                files.append(each).append(Files.size(each)).append(Files.getLastModifiedTime(each));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return UUID.nameUUIDFromBytes(files.toString().getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static void makeUnlessAnotherDoes(Path cache) {
        try {
            Files.createDirectories(FOLDER);
            try (FileChannel channel = FileChannel.open(
                    FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock != null && !Files.exists(cache)) {
                    deleteThoseOfOtherBuilds();
                    make(cache);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteThoseOfOtherBuilds() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path each : files.filter(file -> file.toString().endsWith(".aot")).toList()) {
                Files.delete(each);
            }
        }
    }

    /// A gateway in training: it starts, takes calls that reach nobody, and ends; then Java writes down what it has loaded.
    private static void make(Path cache) throws IOException {
        Path draft = FOLDER.resolve("draft.aot");
        try (TestPostgres database = TestPostgres.create()) {
            String settings = Settings.head(Settings.ledger(database)).replace("delay: 1s", "delay: 0s") + """
                    routes: [ { name: payments, prefix: /payments, downstream: { url: "http://127.0.0.1:%d" } } ]
                    """.formatted(Settings.REFUSING_PORT);
            try (Replica trained = Replica.start(FOLDER, settings, Program.TRAINING + draft, "-Xlog:aot*=off")) {
                for (int i = 0; i < 2; i++) {
                    trained.keyed(Client.ALICE, Canary.key()).body("{}").post("/payments");
                }
                trained.program().terminate();
                trained.program().awaitExit();
            }
        }
        Files.move(draft, cache, StandardCopyOption.ATOMIC_MOVE);
    }
}

package dev.latchkey.scenarios;

import dev.latchkey.e2e.Program;
import dev.latchkey.e2e.Replica;
import dev.latchkey.e2e.Settings;
import dev.latchkey.sandbox.Sandbox;
import dev.latchkey.testing.TestPostgres;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// What the reader of the page has running: the gateway with the demo's own settings, the sandbox behind it, and a
/// PostgreSQL as the warehouse. Only the ports are free ones, and the ledger is where the tests can reach it. One for all
/// suites: they keep out of each other's way by keys, tables and bodies of their own.
final class QuickStart implements AutoCloseable {

    private static final Path DEMO = Path.of("src/main/resources/dev/latchkey/cli/demo.yaml");

    private static final Path JAR = Path.of(System.getProperty("latchkey.jar", "target/latchkey.jar"));

    /// The ports of programs that a section starts itself.
    private static final List<String> OWN = List.of("8090", "8091", "9091");

    private final Path folder;
    private final TestPostgres warehouse = TestPostgres.create();
    private final TestPostgres ledger = TestPostgres.create();
    private final Sandbox sandbox = Sandbox.start("127.0.0.1", 0);
    private final PsqlStandIn psql;
    private final List<Replica> started = new ArrayList<>();
    private final List<Integer> free;
    private @Nullable Replica gateway;
    private @Nullable Replica second;

    /// A suite whose constructor or methods take the one [QuickStart].
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ExtendWith(Running.class)
    @interface Started {}

    QuickStart() {
        try {
            folder = Files.createTempDirectory("latchkey-pipelines");
            free = free(OWN.size());
            psql = PsqlStandIn.start(warehouse, Files.createDirectory(folder.resolve("bin")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Ports that nobody listens on now.
    private static List<Integer> free(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return sockets.stream().map(ServerSocket::getLocalPort).toList();
    }

    /// The gateway of the page.
    synchronized Replica gateway() {
        if (gateway == null) {
            gateway = start();
        }
        return gateway;
    }

    /// Another replica on the same ledger.
    synchronized Replica second() {
        if (second == null) {
            second = start();
        }
        return second;
    }

    /// One more, for a test that kills it; closed at the end, if it still runs.
    synchronized Replica start() {
        Replica replica = Replica.start(folder, settings());
        started.add(replica);
        return replica;
    }

    /// The demo's settings, apart from ports and ledger.
    private String settings() {
        try {
            return Files.readString(DEMO)
                    .replaceFirst("(?m)^ledger: .*$", "ledger: { " + Settings.ledger(ledger) + " }")
                    .replaceAll("\\$\\{LATCHKEY_(MANAGEMENT_)?PORT:-\\d+}", "0")
                    .replace("${LATCHKEY_SANDBOX}", "http://127.0.0.1:" + sandbox.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The database that the jobs write their tables to.
    TestPostgres warehouse() {
        return warehouse;
    }

    /// The gateways' ledger, for tests that let time pass in it.
    TestPostgres ledger() {
        return ledger;
    }

    /// How often the sandbox sent a notification of that body.
    int notifications(String body) {
        Map<String, Integer> counts =
                RestAssured.given().baseUri("http://127.0.0.1").port(sandbox.port()).get("/effects")
                        .jsonPath().getMap("notifications");
        return counts.getOrDefault("sha256:" + sha256(body), 0);
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The reader's shell in an empty folder.
    Shell shell() {
        try {
            Path home = Files.createTempDirectory(folder, "shell");
            // The system's own programs come first: what manages several versions of one may take half a second to choose.
            String path = briefJava() + ":/usr/bin:/bin:" + System.getenv("PATH");
            return new Shell(home, Map.of("WAREHOUSE", PsqlStandIn.address(warehouse), "LC_ALL", "C", "PSQLRC",
                    "/dev/null", "LATCHKEY", JAR.toAbsolutePath().toString(), "PATH",
                    Shell.has("psql") ? path : standIn() + ":" + path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The folder of a command `java` that is the one of the tests, told that its run is short.
    private Path briefJava() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path commands = Files.createTempDirectory(folder, "java");
        Path brief = Files.writeString(commands.resolve("java"), "#!/bin/sh\nexec '%s' '%s' \"$@\"\n".formatted(
                java, String.join("' '", Program.brief())));
        Files.setPosixFilePermissions(brief, PosixFilePermissions.fromString("rwx------"));
        return commands;
    }

    /// The folder of a command `psql` that is the stand-in, wherever there is a real one.
    Path standIn() {
        return folder.resolve("bin");
    }

    /// A snippet of the page, with the ports that are true here.
    String here(String text) {
        String here = text.replace("localhost:8080", "localhost:" + gateway().port())
                .replace("localhost:8081", "localhost:" + sandbox.port())
                .replace("localhost:9090", "localhost:" + gateway().managementPort());
        for (int i = 0; i < OWN.size(); i++) {
            here = here.replaceAll("\\b" + OWN.get(i) + "\\b", "" + free.get(i));
        }
        return here;
    }

    /// The files that a section saves, each by its name.
    Map<String, String> files(Section section) {
        Map<String, String> files = new LinkedHashMap<>();
        for (Snippet snippet : section.snippets()) {
            if (snippet instanceof Snippet.Save(String name, String text)) {
                files.put(name, here(text));
            }
        }
        return files;
    }

    /// What was printed, with the ports of the page.
    String there(String text) {
        return text.replace("localhost:" + gateway().port(), "localhost:8080")
                .replace("localhost:" + sandbox.port(), "localhost:8081")
                .replace("localhost:" + gateway().managementPort(), "localhost:9090");
    }

    @Override
    public void close() throws IOException {
        started.forEach(Replica::close);
        psql.close();
        sandbox.close();
        ledger.close();
        warehouse.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /// Makes it for the first suite that wants it; it lives until the last one ends.
    static final class Running implements ParameterResolver {

        private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(QuickStart.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == QuickStart.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot().getStore(HERE)
                    .computeIfAbsent(QuickStart.class, _ -> new QuickStart(), QuickStart.class);
        }
    }
}

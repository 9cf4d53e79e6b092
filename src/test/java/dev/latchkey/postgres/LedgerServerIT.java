package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The embedded PostgreSQL keeps what it was told, belongs to one gateway, and says why it does not start.
class LedgerServerIT {

    /// Unpacked once for all of these tests.
    @TempDir
    private static Path programs;

    @TempDir
    private Path parent;

    private Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        ServerBinaries.unpack(programs);
    }

    @BeforeEach
    void name() {
        folder = parent.resolve("data");
    }

    private LedgerServer start() {
        return LedgerServer.start(folder, programs);
    }

    private static void run(LedgerServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(LedgerServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void dataIsKeptOverRestartsAndSettingsAreDurable() throws SQLException {
        try (LedgerServer server = start()) {
            run(server, "create table kept as select 42 as it");
        }

        try (LedgerServer server = start()) {
            assertThat(ask(server, "select it from kept")).isEqualTo("42");
            assertThat(ask(server, "show fsync")).isEqualTo("on");
            assertThat(ask(server, "show synchronous_commit")).isEqualTo("on");
            assertThat(ask(server, "show full_page_writes")).isEqualTo("on");
            assertThat(ask(server, "show listen_addresses")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void nobodyComesInWithoutThePassword() {
        try (LedgerServer server = start()) {
            assertThatThrownBy(() -> DriverManager.getConnection(server.url(), server.user(), "guessed").close())
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void secondGatewayOnTheFolderIsRefusedAndHarmsNothing() throws SQLException {
        try (LedgerServer server = start()) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(LedgerUnfit.class)
                    .hasMessageContaining("in use by another gateway")
                    .hasMessageContaining("ledger.url");

            assertThat(ask(server, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void serverOfAKilledGatewayIsEndedAndItsDataKept() throws Exception {
        long orphan = leaveOrphan();
        assertThat(ProcessHandle.of(orphan)).hasValueSatisfying(it -> assertThat(it.isAlive()).isTrue());

        try (LedgerServer server = start()) {
            assertThat(ask(server, "select it from orphaned")).isEqualTo("7");
            await().atMost(Duration.ofSeconds(30)).until(() -> !runs(orphan));
        }
    }

    /// A process that has ended and that nobody has asked after yet still has an id, but no program.
    private static boolean runs(long process) {
        return ProcessHandle.of(process).filter(it -> it.info().command().isPresent()).isPresent();
    }

    /// Starts a server from a process that then dies without a word.
    private long leaveOrphan() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Killed.class.getName(), folder.toString(),
                programs.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> said = output.lines().toList();
            assertThat(process.waitFor()).as(String.join("\n", said)).isEqualTo(9);
        }
        return PostmasterFile.in(folder.resolve("postgres")).orElseThrow().process();
    }

    /// A gateway that is killed.
    static final class Killed {

        private Killed() {}

        public static void main(String[] args) throws SQLException {
            LedgerServer server = LedgerServer.start(Path.of(args[0]), Path.of(args[1]));
            run(server, "create table orphaned as select 7 as it");
            Runtime.getRuntime().halt(9);
        }
    }

    @Test
    void serverThatDiesIsStartedAgainWhereItWas() throws Exception {
        try (LedgerServer server = start()) {
            run(server, "create table survives as select 9 as it");
            for (int i = 0; i < 2; i++) {
                long died = postmaster();
                ProcessHandle.of(died).ifPresent(ProcessHandle::destroyForcibly);

                await().atMost(Duration.ofSeconds(60)).until(() -> postmaster() != died);
                await().atMost(Duration.ofSeconds(60)).ignoreExceptions()
                        .until(() -> ask(server, "select it from survives").equals("9"));
            }
        }
        assertThat(PostmasterFile.in(folder.resolve("postgres"))).isEmpty();
    }

    private long postmaster() throws IOException {
        return PostmasterFile.in(folder.resolve("postgres")).map(PostmasterFile::process).orElse(0L);
    }

    @Test
    void processIdThatAnotherProgramHasByNowIsNoOrphan() throws Exception {
        start().close();
        Path cluster = folder.resolve("postgres");
        Files.writeString(
                cluster.resolve("postmaster.pid"), ProcessHandle.current().pid() + "\n" + cluster + "\n0\n5432\n\n\n");

        try (LedgerServer server = start()) {
            assertThat(ask(server, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void folderOfOthersIsLeftAlone() throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("thesis.txt"), "mine");

        assertThatThrownBy(this::start).isInstanceOf(LedgerUnfit.class).hasMessageContaining("did not make");

        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void fileInsteadOfAFolderIsSaid() throws IOException {
        Files.writeString(folder, "a file");

        assertThatThrownBy(this::start).isInstanceOf(LedgerUnfit.class).hasMessageContaining("is not a folder");
    }

    @Test
    void folderOfAnotherVersionIsSaid() throws IOException {
        start().close();
        Files.writeString(folder.resolve("postgres").resolve("PG_VERSION"), "12\n");

        assertThatThrownBy(this::start)
                .isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("made by PostgreSQL 12")
                .hasMessageContaining("18");
    }

    @Test
    void startThatFailsLeavesTheFolderFree() throws Exception {
        start().close();
        Path version = folder.resolve("postgres").resolve("PG_VERSION");
        String right = Files.readString(version);
        Files.writeString(version, "12\n");
        assertThatThrownBy(this::start).isInstanceOf(LedgerUnfit.class);
        Files.writeString(version, right);

        try (LedgerServer server = start()) {
            assertThat(ask(server, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void brokenFilesAreSaidInOneSentence() throws IOException {
        start().close();
        Files.writeString(folder.resolve("postgres").resolve("postgresql.conf"), "no_such_setting = 1\n");

        assertThatThrownBy(this::start)
                .isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("contains errors. Set")
                .hasMessageContaining("ledger.url");
    }

    @Test
    void diskThatIsFullIsSaid() {
        String said = "initdb: error: could not write to file: No space left on device";

        assertThat(ServerTrouble.explain("PostgreSQL did not start", folder, said)).contains("the disk is full");
    }
}

package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.latchkey.postgres.PostgresSettings.Durability;
import dev.latchkey.testing.PostgresNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that may lose what it has acknowledged is refused, unless that is wanted.
class UnfitServerIT {

    @TempDir
    private static Path folder;

    private static PostgresNode server;

    @BeforeAll
    static void start() {
        server = PostgresNode.make(TestPrograms.unpacked(), folder.resolve("server"));
        server.start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static PostgresLedger open(Durability durability) {
        return PostgresLedger.open(
                new PostgresSettings(server.url("postgres"), null, null, 2, PostgresSettings.Writer.BATCHED, durability,
                        true, PostgresSettings.Encryption.NONE),
                TestLedger.CLOCKS);
    }

    private static void set(String name, String value) {
        server.reload(name + " = " + value);
        await().atMost(Duration.ofSeconds(60)).until(() -> server.ask("show " + name).equals(value));
    }

    @Test
    void serverThatDoesNotFlushIsRefusedUnlessThatIsWanted() {
        set("fsync", "off");
        try {
            assertThatThrownBy(() -> open(Durability.LOCAL))
                    .isInstanceOf(LedgerUnfit.class)
                    .hasMessageContaining("fsync")
                    .hasMessageContaining("ledger.durability: unsafe");
            try (PostgresLedger ledger = open(Durability.UNSAFE)) {
                assertThat(ledger.health().problem()).isNull();
            }
        } finally {
            set("fsync", "on");
        }
    }

    @Test
    void serverThatTearsPagesIsRefused() {
        set("full_page_writes", "off");
        try {
            assertThatThrownBy(() -> open(Durability.LOCAL))
                    .isInstanceOf(LedgerUnfit.class)
                    .hasMessageContaining("full_page_writes");
        } finally {
            set("full_page_writes", "on");
        }
    }
}

package dev.latchkey.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Secrets from files.
class SecretTextIT {

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void writeSecret() throws IOException {
        file = folder.resolve("token");
        Files.writeString(file, "first\n");
    }

    @Test
    void endsBeforeTheFilesLastNewline() throws Exception {
        assertThat(secret().get()).isEqualTo("Bearer first!");
        Files.writeString(file, "windows\r\n");
        assertThat(secret().get()).isEqualTo("Bearer windows!");
    }

    @Test
    void isReadAgainWhenItsFileChanges() throws Exception {
        SecretText secret = secret();
        assertThat(secret.get()).isEqualTo("Bearer first!");
        Files.writeString(file, "second");
        assertThat(secret.get()).isEqualTo("Bearer second!");
    }

    @Test
    void isReadAgainWhenAnotherFileOfTheSameSizeAndTimeTakesItsPlace() throws Exception {
        FileTime time = FileTime.from(Instant.parse("2026-01-04T00:00:00Z"));
        Files.setLastModifiedTime(file, time);
        SecretText secret = secret();
        Path other = Files.writeString(folder.resolve("other"), "third\n");
        Files.setLastModifiedTime(other, time);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(secret.get()).isEqualTo("Bearer third!");
    }

    @Test
    void keepsItsLastValueWhileTheFileIsGoneOrEmpty() throws Exception {
        SecretText secret = secret();
        Files.delete(file);
        assertThat(secret.get()).isEqualTo("Bearer first!");
        Files.writeString(file, "\n");
        assertThat(secret.get()).isEqualTo("Bearer first!");
        Files.writeString(file, "back");
        assertThat(secret.get()).isEqualTo("Bearer back!");
    }

    @Test
    void keepsItsLastValueWhileTheNewOneCannotStandInAHeader() throws Exception {
        SecretText secret = secret();
        Files.writeString(file, "two\nlines");
        assertThat(secret.get()).isEqualTo("Bearer first!");
    }

    @Test
    void isNeverShown() throws Exception {
        assertThat(secret()).hasToString("(hidden)");
    }

    @Test
    void needsItsFileAtStart() {
        assertThat(SettingsText.problems(yaml(folder.resolve("absent")))).singleElement().asString().startsWith(
                "latchkey.yaml:7: routes[0].downstream.headers.Authorization: the file ")
                .endsWith("absent\" does not exist");
        assertThat(SettingsText.problems(yaml(folder))).singleElement().asString().endsWith("it is a folder");
    }

    @Test
    void needsText() throws IOException {
        Files.write(file, new byte[] {(byte) 0xff});
        assertThat(SettingsText.problems(yaml(file))).singleElement().asString().endsWith("is not UTF-8");
    }

    @Test
    void settingsAreReadFromAFileToo() throws Exception {
        Path settings = Files.writeString(folder.resolve("latchkey.yaml"), "\uFEFF" + yaml(file));
        assertThat(loader().load(settings).routes()).hasSize(1);
    }

    @Test
    void aFileOfSettingsThatCannotBeReadIsNamed() throws IOException {
        Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {'a', ':', ' ', (byte) 0xff});
        for (Path each : List.of(folder.resolve("absent.yaml"), folder, binary)) {
            assertThat(org.assertj.core.api.Assertions.catchThrowableOfType(
                    SettingsException.class, () -> loader().load(each)))
                    .hasMessageStartingWith(each + ": the file ");
        }
    }

    @Test
    void theExampleOfTheReferenceIsFine() throws Exception {
        String example =
                """
                        ledger: { url: "jdbc:postgresql://db:5432/latchkey", user: latchkey, password: "${file:/run/secrets/db}" }
                        clients:
                          - { name: pipelines, token-sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 }
                        routes:
                          - name: payments
                            prefix: /payments
                            downstream:
                              url: https://payments.internal/v1
                              headers: { Authorization: "Bearer ${PAYMENTS_TOKEN}" }
                              deduplicates: 24h
                            fingerprint: { ignore: [/requested_at] }
                            lookup:
                              path: /payments?idempotency_key={downstream-key}     # relative to downstream.url; {key} too
                              executed:     { status: [200], where: /data/0, response: { status: 201, body: /data/0 } }
                              not-executed: { status: [200], unless: /data/0 }      # holds only for a JSON body
                              after: 5m                                             # from the lease's end; default ledger.settle-delay
                          - name: notifications
                            prefix: /notifications
                            downstream: { url: https://mail.internal, timeout: 10s, key: { value: none } }
                            outcomes: { released: [503] }                           # this one promises that 503 sent nothing
                        """;
        Settings settings = new SettingsLoader(name -> name.equals("PAYMENTS_TOKEN") ? "abc" : null)
                .read("latchkey.yaml", example.replace("/run/secrets/db", file.toString()));
        assertThat(settings.routes()).extracting(RouteSettings::name).containsExactly("payments", "notifications");
        assertThat(settings.ledger().place()).isInstanceOfSatisfying(
                LedgerPlace.Server.class,
                server -> assertThat(server.password()).extracting(SecretText::get).isEqualTo("first"));
    }

    private SecretText secret() throws SettingsException {
        return loader()
                .read("latchkey.yaml", yaml(file))
                .routes()
                .getFirst()
                .downstream()
                .headers()
                .getFirst()
                .value();
    }

    private static SettingsLoader loader() {
        return new SettingsLoader(name -> null);
    }

    private static String yaml(Path secret) {
        return SettingsText.downstreamWith("headers: { Authorization: 'Bearer ${file:" + secret + "}!' }");
    }
}

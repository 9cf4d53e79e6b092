package dev.latchkey.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Mutation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Settings files that are nearly right: each is read, or refused with problems that say where they are.
///
/// `-Dlatchkey.fuzz.seconds=N` for longer, `-Dlatchkey.fuzz.seed=N` to see the same again.
class SettingsFuzzTest {

    private static final Duration LONG = Duration.ofSeconds(Long.getLong("latchkey.fuzz.seconds", 2));

    private static final String VALID =
            """
                    listen: { host: 127.0.0.1, port: 8080 }
                    management: { port: 9090 }
                    ledger: { url: "jdbc:postgresql://db:5432/latchkey", user: latchkey, password: "${PASSWORD:-none}", connections: 8 }
                    clients:
                      - { name: pipelines, token-sha256: %s, routes: [payments] }
                    limits: { request-body: 1MiB, forwards: 100 }
                    wait: { max: 50s }
                    drain: { delay: 5s, timeout: 45s }
                    routes:
                      - name: payments
                        prefix: /payments
                        downstream:
                          url: https://payments.internal/v1
                          timeout: 30s
                          headers: { Authorization: "Bearer ${TOKEN}" }
                          deduplicates: 24h
                        fingerprint: { ignore: [/requested_at], headers: [X-Tenant] }
                        outcomes: { released: [503], recorded: [409] }
                        retention: { response: 90d, entry: forever, rejection: 1h }
                        lookup:
                          path: /payments?idempotency_key={downstream-key}
                          executed: { status: [200], where: /data/0, response: { status: 201, body: /data/0 } }
                          not-executed: { status: [200], unless: /data/0 }
                    """
                    .formatted("0123456789abcdef".repeat(4));

    private static final String[] WORDS = {
        ":", ": ", "- ", "[", "]", "{", "}", "&a ", "*a", "<<: *a", "!!", "!!java.net.URL ", "|", ">", "'", "\"", "#",
        "${", "}", "${TOKEN}", "${file:/nowhere}", "${TOKEN:-${TOKEN}}", "~", "null", "true", "no", "010", "1e9", "-1",
        "99999999999999999999", "0x10", "forever", "1d", "\u0000", "\t", "\n", "\r", "---\n", "...\n", "? ", "\u00e9",
        "\u0085", "listen: ", "routes: ", "  "
    };

    @Test
    @Timeout(120)
    void aFileIsReadOrRefusedWithItsLines() {
        long seed = Long.getLong("latchkey.fuzz.seed", new Random().nextLong());
        Random random = new Random(seed);
        Mutation mutation = new Mutation(random, WORDS);
        int read = 0;
        int refused = 0;
        for (long end = System.nanoTime() + LONG.toNanos(); System.nanoTime() < end;) {
            String yaml = new String(mutation.of(VALID), StandardCharsets.UTF_8);
            try {
                new SettingsLoader(name -> name.equals("TOKEN") ? "a-secret" : null).read("fuzz.yaml", yaml);
                read++;
            } catch (SettingsException e) {
                refused++;
                assertThat(e.problems()).isNotEmpty().allSatisfy(
                        problem -> assertThat(problem.toString()).startsWith("fuzz.yaml").doesNotContain("a-secret"));
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Dlatchkey.fuzz.seed=" + seed + ":\n" + yaml, e);
            }
        }
        assertThat(read).isPositive();
        assertThat(refused).isPositive();
    }
}

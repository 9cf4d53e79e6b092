package dev.latchkey.e2e;

import dev.latchkey.testing.TestPostgres;
import java.net.URI;

/// Settings of gateways that are killed and stopped: short leases, and few routes.
final class CrashSettings {

    private CrashSettings() {}

    /// @param timeout of each forward
    /// @param leaseMargin by how much its lease is longer
    static String of(TestPostgres database, URI downstream, String timeout, String leaseMargin) {
        return """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { %1$s, lease-margin: %3$s, settle-delay: 1s }
                upkeep: { every: 200ms }
                clients:
                  - { name: alice, token-sha256: %2$s }
                routes:
                  - name: plain
                    prefix: /plain
                    downstream: { url: "@/plain", timeout: %4$s }
                  - name: dedup
                    prefix: /dedup
                    downstream: { url: "@/dedup", timeout: %4$s, deduplicates: 24h }
                  - name: looked-up
                    prefix: /looked-up
                    downstream: { url: "@/looked-up", timeout: %4$s }
                    lookup:
                      path: /lookup?key={downstream-key}
                      executed: { status: [200], where: /data/0, response: { status: 201, body: /data/0 } }
                      not-executed: { status: [200], unless: /data/0 }
                      after: 1s
                """.formatted(Settings.ledger(database), Client.ALICE.digest(), leaseMargin, timeout)
                .replace("@", downstream.toString());
    }
}

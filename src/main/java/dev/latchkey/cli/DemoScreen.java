package dev.latchkey.cli;

import dev.latchkey.config.LedgerPlace;
import dev.latchkey.config.Settings;
import java.nio.file.Path;

/// The one screen of the quick start: what runs where, and what to try.
final class DemoScreen {

    private DemoScreen() {}

    static String text(Settings settings, RunningGateway gateway, RunningSandbox sandbox) {
        String calls = Ready.url(settings.listen(), gateway.port());
        String management = Ready.url(settings.management(), gateway.managementPort());
        String sandboxUrl = "http://" + SandboxCommand.HOST + ":" + sandbox.port();
        String ledger =
                settings.ledger().place() instanceof LedgerPlace.Embedded(Path dataDir) ? dataDir.toString() : "";
        return """

                Latchkey is running.

                  calls       %-25s POST /payments, POST /notifications; pages at /docs
                  management  %-25s /health/ready, /metrics, /operator/entries
                  sandbox     %-25s the downstream behind both; /effects counts what it did
                  ledger      %-25s PostgreSQL, kept over restarts

                Send this twice. The second answer is a replay, and the sandbox still counts one payment:

                  curl -i %s/payments \\
                    -H 'Idempotency-Key: "order-paid:1001:2026-01-04"' \\
                    -H 'Content-Type: application/json' \\
                    -d '{"amount": 25.50, "currency": "EUR"}'

                  curl %s/effects

                Then change the amount and send it again: a key that was used for something else is refused.
                Ctrl-C stops everything.

                """.formatted(calls, management, sandboxUrl, ledger, calls, sandboxUrl);
    }
}

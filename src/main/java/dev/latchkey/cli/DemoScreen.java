package dev.latchkey.cli;

import dev.latchkey.config.LedgerPlace;
import dev.latchkey.config.Settings;

/// The one screen of the quick start: what runs where, and what to try.
final class DemoScreen {

    private DemoScreen() {}

    static String text(Settings settings, RunningGateway gateway, RunningSandbox sandbox) {
        String calls = Ready.url(settings.listen(), gateway.port());
        String effects = "http://" + SandboxCommand.HOST + ":" + sandbox.port() + "/effects";
        return """

                Latchkey is running.

                  calls        %s          POST /payments, POST /notifications; pages at /docs
                  management   %s          /health/ready, /metrics, /operator/entries
                  sandbox      http://%s:%d          the downstream behind both; /effects counts what it did
                  ledger       %s          PostgreSQL, kept over restarts

                Send this twice. The second answer is a replay, and the sandbox still counts one payment:

                  curl -i %s/payments \\
                    -H 'Idempotency-Key: "order-paid:1001:2026-01-04"' \\
                    -H 'Content-Type: application/json' \\
                    -d '{"amount": 25.50, "currency": "EUR"}'

                  curl %s

                Then change the amount and send it again: a key that was used for something else is refused.
                Ctrl-C stops everything.

                """.formatted(
                calls,
                Ready.url(settings.management(), gateway.managementPort()),
                SandboxCommand.HOST,
                sandbox.port(),
                settings.ledger().place() instanceof LedgerPlace.Embedded(var dataDir) ? dataDir : "",
                calls,
                effects);
    }
}

package dev.latchkey.e2e;

import dev.latchkey.testing.TestPostgres;
import java.net.URI;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The settings of the gateways under test: a route for each thing that a route may choose.
public final class Settings {

    /// A port of the loopback address on which nothing listens.
    static final int REFUSING_PORT = 1;

    private Settings() {}

    /// Where that database is, as settings say it.
    public static String ledger(TestPostgres database) {
        return "url: \"%s\", user: \"%s\", password: \"%s\"".formatted(database.url(), database.user(),
                database.password());
    }

    /// Where a database that needs no password is.
    static String ledger(String url) {
        return "url: \"%s\"".formatted(url);
    }

    /// Everything, on that ledger and with that downstream behind every route but `flaky`.
    static String of(String ledger, URI downstream, URI flaky) {
        return head(ledger) + routes(downstream, flaky);
    }

    /// All but the routes.
    static String head(String ledger) {
        String clients = Arrays.stream(Client.values())
                .map(c -> "  - { name: %s, token-sha256: %s%s }\n"
                        .formatted(c.wireName(), c.digest(), c == Client.CAROL ? ", routes: [payments]" : ""))
                .collect(Collectors.joining());
        return """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { %s, lease-margin: 6s, settle-delay: 5m }
                upkeep: { every: 200ms }
                drain: { delay: 1s, timeout: 20s }
                clients:
                """.formatted(ledger) + clients;
    }

    static String routes(URI downstream, URI flaky) {
        return """
                routes:
                  - name: payments
                    prefix: /payments
                    downstream: { url: "@/pay", timeout: 20s, headers: { Authorization: "Bearer canary-credential-route" } }
                    replay-headers: [X-Replay-Me]
                  - name: deep
                    prefix: /payments/deep/down
                    downstream: { url: "@/deep" }
                  - name: dedup
                    prefix: /dedup
                    downstream: { url: "@/dedup", timeout: 5s, deduplicates: 24h }
                  - name: window
                    prefix: /window
                    downstream: { url: "@/window", timeout: 2s, deduplicates: 4s }
                  - name: resend
                    prefix: /resend
                    downstream: { url: "@/resend" }
                    in-doubt: resend
                    outcomes: { recorded: [409, 503] }
                  - name: moved
                    prefix: /moved
                    downstream: { url: "@/moved" }
                    outcomes: { released: [503], recorded: [401, 408, 429, 500, 502, 504, 507], in-doubt: [404] }
                    retention: { response: 1d, entry: 30d }
                  - name: quick
                    prefix: /quick
                    downstream: { url: "@/quick", timeout: 2s }
                  - name: lone
                    prefix: /lone
                    downstream: { url: "@/lone", max-concurrent: 1 }
                  - name: optional
                    prefix: /optional
                    key: optional
                    downstream: { url: "@/optional", timeout: 2s }
                  - name: derived
                    prefix: /derived
                    key: "order-shipped:{/order_id}:{/run_date}"
                    downstream: { url: "@/derived" }
                  - name: quoted
                    prefix: /quoted
                    downstream: { url: "@/quoted", key: { value: as-sent, header: X-Request-Key, form: quoted } }
                    corrections: refuse
                  - name: unkeyed
                    prefix: /unkeyed
                    downstream: { url: "@/unkeyed", key: { value: none } }
                  - name: strict
                    prefix: /strict
                    downstream: { url: "@/strict" }
                    corrections: refuse
                  - name: picky
                    prefix: /picky
                    downstream: { url: "@/picky" }
                    fingerprint: { ignore: [/requested_at, /meta/try], headers: [Stripe-Account] }
                  - name: brief
                    prefix: /brief
                    downstream: { url: "@/brief" }
                    retention: { response: 1s, entry: 90d, rejection: 1s }
                  - name: looked-up
                    prefix: /looked-up
                    downstream: { url: "@/looked-up", timeout: 1s }
                    lookup:
                      path: /payments?key={downstream-key}
                      executed: { status: [200], where: /data/0, response: { status: 201, body: /data/0 } }
                      after: 1s
                  - name: flaky
                    prefix: /flaky
                    downstream: { url: "%s/flaky", deduplicates: 24h }
                  - name: nobody
                    prefix: /nobody
                    downstream: { url: "http://127.0.0.1:%d" }
                """
                .formatted(flaky, REFUSING_PORT).replace("@", downstream.toString());
    }

    /// A further route, its prefix of its name.
    ///
    /// @param downstream its base URL
    /// @param timeout of each forward
    static String route(String name, String downstream, String timeout) {
        return """
                - name: %1$s
                  prefix: /%1$s
                  downstream: { url: "%2$s", timeout: %3$s }
                """.formatted(name, downstream, timeout).indent(2);
    }
}

package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;

import dev.latchkey.torture.Caller;
import dev.latchkey.torture.Endings;
import dev.latchkey.torture.Told;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/// What the suites ask of gateways whose PostgreSQL fails over, whoever promotes the next one.
final class Failover {

    private Failover() {}

    static boolean noneIsClaimed(Caller caller, URI gateway) throws IOException, InterruptedException {
        return Endings.read(caller, gateway).values().stream().noneMatch(end -> end.state().equals("claimed"));
    }

    static boolean serves(Caller caller, URI gateway) throws InterruptedException {
        return caller.post(gateway, "/notifications", Canary.key(), "{}", Map.of()).filter(Told::recorded).isPresent();
    }

    static URI url(Replica replica) {
        return URI.create("http://127.0.0.1:" + replica.port());
    }

    static String settings(String ledger, int sandbox) {
        return """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { url: "%s", durability: replicated, lease-margin: 6s }
                upkeep: { every: 500ms }
                clients: [{ name: %s, token-sha256: %s }]
                routes:
                  - name: notifications
                    prefix: /notifications
                    downstream: { url: "http://127.0.0.1:%d/notifications", timeout: 5s }
                """.formatted(ledger, ALICE.wireName(), ALICE.digest(), sandbox);
    }
}

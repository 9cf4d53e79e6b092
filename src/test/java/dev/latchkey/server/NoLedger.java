package dev.latchkey.server;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerUnavailable;
import java.lang.reflect.Proxy;

/// A ledger out of reach.
final class NoLedger {

    private NoLedger() {}

    static Ledger make() {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (_, _, _) -> {
                    throw new LedgerUnavailable("away", false, null);
                });
    }
}

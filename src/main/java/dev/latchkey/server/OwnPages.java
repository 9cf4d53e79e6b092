package dev.latchkey.server;

import io.javalin.config.RoutesConfig;

/// What the gateway's port shows besides the routes.
public final class OwnPages {

    private final EntryPages entries;
    private final ContractPages contract = new ContractPages();
    private final ProblemPages problems = new ProblemPages();

    /// @param entries what clients may read of the ledger
    public OwnPages(EntryPages entries) {
        this.entries = entries;
    }

    void addTo(Pages pages, RoutesConfig routes) {
        entries.addTo(pages, routes);
        contract.addTo(pages, routes);
        problems.addTo(pages, routes);
    }
}

package dev.latchkey.server;

import io.javalin.config.RoutesConfig;

/// What the gateway's port shows besides the routes.
public final class OwnPages {

    private final EntryPages entries;
    private final ClaimPages claims;
    private final ContractPages contract = new ContractPages();
    private final ProblemPages problems = new ProblemPages();

    /// @param entries what clients may read of the ledger
    /// @param claims what clients claim for themselves
    public OwnPages(EntryPages entries, ClaimPages claims) {
        this.entries = entries;
        this.claims = claims;
    }

    void addTo(Pages pages, RoutesConfig routes) {
        entries.addTo(pages, routes);
        claims.addTo(pages, routes);
        contract.addTo(pages, routes);
        problems.addTo(pages, routes);
    }
}

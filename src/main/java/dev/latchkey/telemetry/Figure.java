package dev.latchkey.telemetry;

import org.jspecify.annotations.Nullable;

/// What is shown as it stands. Those with a label have one figure for each of its values.
public enum Figure {
    READY("latchkey.ready", "1: this replica wants calls; 0: it is starting, draining or finds the wrong schema", null),
    ENTRIES("latchkey.entries",
            "Entries in the whole ledger by state, as of the last round of upkeep. Recorded ones are estimated by"
                    + " PostgreSQL's statistics where there are many; claimed and released ones are counted to 100000",
            null),
    OLDEST_DOUBT("latchkey.oldest.doubt", "Age of the oldest entry in doubt; 0: there is none", "seconds"),
    WAITING("latchkey.calls.waiting", "Calls waiting for a forward under way", null),
    CALLS_UNDER_WAY("latchkey.calls.under.way", "Calls not yet answered", null),
    FORWARDS_UNDER_WAY("latchkey.forwards.under.way", "Forwards under way", null),
    BODIES_HELD("latchkey.bodies.held", "Bodies held in memory", "bytes"),
    CACHE_ENTRIES("latchkey.cache.entries", "Recorded responses in memory", null),
    CACHE_SIZE("latchkey.cache.size", "Size of the recorded responses in memory", "bytes"),
    PURGE_LAG("latchkey.purge.lag", "How long the oldest row is past its retention; 0: nothing is left", "seconds"),
    CERTIFICATES_STALE(
            "latchkey.certificates.stale", "Ports that show a former certificate because its new files are unfit",
            null),
    LEDGER_REACHABLE("latchkey.ledger.reachable", "1: the ledger answered when last asked", null),
    LEDGER_WRITABLE("latchkey.ledger.writable",
            "1: the ledger can take claims; 0: it is out of reach, is unfit, or has lost the standby that each commit"
                    + " waits for, so that calls with a key are refused",
            null),
    CONNECTIONS_IN_USE("latchkey.ledger.connections.in.use",
            "Connections to the ledger at work, by pool: ledger for what goes alone, ledger-lanes for group commits",
            null),
    CONNECTIONS_OPEN("latchkey.ledger.connections.open", "Connections to the ledger that are open, by pool", null),
    CONNECTIONS_MOST("latchkey.ledger.connections.most", "Connections to the ledger that may be open, by pool", null),
    CONNECTIONS_AWAITED("latchkey.ledger.connections.awaited",
            "Threads that wait for a connection to the ledger, by pool. More than 0 for long: ledger.connections is too"
                    + " small, or the ledger is slow",
            null),
    LANES("latchkey.lanes.open", "Group commits that may be under way at once: more where commits are slow", null),
    QUEUED("latchkey.lanes.queued", "Claims and records that wait for the next group commit", null);

    private final String metric;
    private final String help;
    private final @Nullable String unit;

    Figure(String metric, String help, @Nullable String unit) {
        this.metric = metric;
        this.help = help;
        this.unit = unit;
    }

    String metric() {
        return metric;
    }

    String help() {
        return help;
    }

    @Nullable
    String unit() {
        return unit;
    }
}

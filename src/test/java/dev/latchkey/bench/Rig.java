package dev.latchkey.bench;

import org.jspecify.annotations.Nullable;

/// What the parts about calls share: a downstream, and two gateways with the two writers, each on a ledger of its own,
/// running and warm. Made with the first part that asks. Not for several threads.
final class Rig {

    static final String BATCHED = "batched";
    static final String PLAIN = "plain";
    static final String NO_LEDGER = "no ledger";

    private final Things things;
    private @Nullable Ready ready;

    Rig(Things things) {
        this.things = things;
    }

    /// @param batched first calls to the gateway with the batched writer
    /// @param plain first calls to the gateway with the plain writer
    /// @param noLedger calls without a key to the first of them: the same server and client, and no ledger
    /// @param downstream the downstream's port
    record Ready(HttpSide batched, HttpSide plain, HttpSide noLedger, Gauge gauge, int downstream) {}

    Ready ready(Bench bench) throws Exception {
        if (ready == null) {
            ready = make(bench);
        }
        return ready;
    }

    /// Will end it.
    <T extends AutoCloseable> T keep(T thing) {
        return things.keep(thing);
    }

    private Ready make(Bench bench) throws Exception {
        BenchServer server = bench.server().get();
        bench.progress().say("starting a downstream and two gateways");
        Gauge gauge = keep(new Gauge(server));
        int downstream = Integer.parseInt(
                keep(Jvm.main(bench.folder(), FixedDownstream.class)).await(FixedDownstream.PORT));
        HttpSide batched = side(bench, BATCHED, gauge, downstream, "");
        HttpSide plain = side(bench, PLAIN, gauge, downstream, ", writer: plain");
        HttpSide noLedger =
                new HttpSide(NO_LEDGER, batched.port(), batched.pid(), Requests.unkeyed(201, null), gauge);
        bench.progress().say("warming up: both writers, and forwarding with no ledger");
        for (HttpSide side : new HttpSide[] {batched, plain}) {
            side.warmUp(bench.warmUp(), 32);
        }
        noLedger.warmUp(bench.warmUp().dividedBy(3), 32);
        return new Ready(batched, plain, noLedger, gauge, downstream);
    }

    private HttpSide side(Bench bench, String writer, Gauge gauge, int downstream, String ledger) throws Exception {
        String database = "calls_" + writer;
        bench.server().get().newLedger(database);
        Latchkey gateway = keep(Latchkey.start(bench, writer, database, downstream, ledger, ""));
        return new HttpSide(
                writer, gateway.port(), gateway.program().pid(), Requests.first("bench-" + writer), gauge);
    }
}

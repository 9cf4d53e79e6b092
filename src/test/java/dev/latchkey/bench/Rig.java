package dev.latchkey.bench;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the parts about calls share: a downstream, and two gateways with the two writers, each on a ledger of its own,
/// running and warm. Made with the first part that asks. Not for several threads.
final class Rig {

    static final String BATCHED = "batched";
    static final String PLAIN = "plain";
    static final String NO_LEDGER = "no ledger";

    /// What the names of the gateways' databases begin with.
    static final String DATABASES = "calls_";

    private static final int WARM_UP_CALLERS = 128;
    private static final Duration NO_LEDGER_WARM = Duration.ofSeconds(20);

    private final Things things;
    private @Nullable Ready ready;

    Rig(Things things) {
        this.things = things;
    }

    /// @param batched first calls to the gateway with the batched writer
    /// @param plain first calls to the gateway with the plain writer
    /// @param noLedger calls without a key to the first of them: the same server and client, and no ledger
    /// @param downstream the downstream's port
    /// @param pgbench nothing where it is not installed, and in a quick run
    record Ready(
            HttpSide batched, HttpSide plain, HttpSide noLedger, Gauge gauge, int downstream,
            Optional<PgBench> pgbench) {}

    /// Between two rounds, for nobody else does while they run: vacuums what calls have left.
    void vacuum(Bench bench) throws Exception {
        Ready made = ready(bench);
        for (HttpSide side : List.of(made.batched(), made.plain())) {
            bench.server().get().vacuum(DATABASES + side.name());
        }
        if (made.pgbench().isPresent()) {
            bench.server().get().vacuum(PgBench.DATABASE);
        }
    }

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
        if (bench.quick()) {
            // The checks look at the batched one: less warm than it is, the others only look dearer.
            warmUp(bench.warming(Duration.ofSeconds(4)), List.of(noLedger, plain));
            warmUp(bench.warming(Duration.ofSeconds(20)), List.of(batched));
        } else {
            // The same program as the batched one, which warms it further.
            warmUp(bench.warming(NO_LEDGER_WARM), List.of(noLedger));
            warmUp(bench, List.of(batched, plain));
        }
        return new Ready(batched, plain, noLedger, gauge, downstream,
                bench.quick() ? Optional.empty() : PgBench.find(bench));
    }

    /// Each until it gets no faster: a side that is still being compiled would lose, whatever it is.
    void warmUp(Bench bench, List<HttpSide> sides) throws Exception {
        for (HttpSide side : sides) {
            double rate = side.warmUp(bench.warmUp(), WARM_UP_CALLERS);
            bench.progress().say("warm: %s, %s calls/s".formatted(side.name(), Figure.text(rate)));
        }
    }

    private HttpSide side(Bench bench, String writer, Gauge gauge, int downstream, String ledger) throws Exception {
        String database = DATABASES + writer;
        bench.server().get().newLedger(database);
        Latchkey gateway = keep(Latchkey.start(bench, writer, database, downstream, ledger, ""));
        return new HttpSide(
                writer, gateway.port(), gateway.program().pid(), Requests.first("bench-" + writer), gauge);
    }
}

package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.sandbox.Sandbox;
import dev.latchkey.torture.Caller;
import dev.latchkey.torture.Effects;
import dev.latchkey.torture.Ending;
import dev.latchkey.torture.Endings;
import dev.latchkey.torture.Load;
import dev.latchkey.torture.Mix;
import dev.latchkey.torture.Told;
import dev.latchkey.torture.Witness;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/// A load on gateways in front of a sandbox that counts effects, with a witness of every answer.
final class Trial implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Client CLIENT = Client.BOB;
    private static final String PATH = "/trial/notifications";

    private final Clocks clocks = new SystemClocks();
    private final Sandbox sandbox = Sandbox.start("127.0.0.1", 0);
    private final Caller caller = new Caller(clocks, CLIENT.token(), PATIENCE);
    private final Witness witness = new Witness();
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();

    /// Where its effects are counted.
    int sandboxPort() {
        return sandbox.port();
    }

    /// What the settings of its gateways need besides.
    ///
    /// @param port by which the sandbox is reached
    static String route(int port) {
        return Settings.route("trial", "http://127.0.0.1:" + port, "5s");
    }

    /// Begins to call.
    ///
    /// @param goesOn asked with the number of keys begun so far, before each one
    Running start(List<Replica> gateways, Mix mix, long seed, IntPredicate goesOn) {
        Load load = new Load(
                () -> gateways.stream().map(Trial::url).toList(), PATH, caller, witness, mix, seed,
                clocks);
        return new Running(load, background.submit(() -> {
            load.run(goesOn);
            return true;
        }));
    }

    /// A load under way.
    record Running(Load load, Future<?> end) {}

    /// Every answer that was heard.
    Stream<Told> told() {
        return witness.keys().stream().flatMap(key -> witness.told(key).stream());
    }

    /// Makes that call again.
    Optional<Told> again(Replica gateway, Told call) throws InterruptedException {
        return caller.post(url(gateway), PATH, call.key(), call.request(), Map.of());
    }

    Map<String, Long> kinds() {
        return witness.kinds();
    }

    /// How the ledger has the keys.
    Map<String, Ending> endings(Replica gateway) throws IOException, InterruptedException {
        return Endings.read(caller, url(gateway));
    }

    /// Holds every answer against the effects and the ledger, once nothing is under way any more.
    ///
    /// @return how the keys ended
    Map<String, Ending> audit(Replica gateway) throws IOException, InterruptedException {
        await().ignoreExceptions().until(() -> endings(gateway).values().stream()
                .noneMatch(ending -> ending.state().equals("claimed")));
        Map<String, Ending> endings = endings(gateway);
        Effects effects = Effects.read(caller, URI.create("http://127.0.0.1:" + sandbox.port()));
        assertThat(witness.audit(key -> effects.of(CLIENT.wireName(), key), endings)).isEmpty();
        return endings;
    }

    private static URI url(Replica gateway) {
        return URI.create("http://127.0.0.1:" + gateway.port());
    }

    @Override
    public void close() {
        background.shutdownNow();
        caller.close();
        sandbox.close();
    }
}

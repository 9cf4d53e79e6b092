package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifetimeTest {

    private final FakeProgram.FakeGateway gateway = new FakeProgram.FakeGateway();
    private final List<Runnable> handlers = new ArrayList<>();
    private final List<Integer> halts = new ArrayList<>();

    @Test
    void theFirstSignalDrainsAndEndsCleanly() {
        Lifetime lifetime = new Lifetime(Runnable::run, halts::add);
        assertThat(lifetime.of(gateway, this::ready)).isZero();
        assertThat(gateway.told).startsWith("drain", "close");
        assertThat(halts).isEmpty();
    }

    @Test
    void theSecondSignalStopsAtOnce() {
        Lifetime lifetime = new Lifetime(
                handler -> {
                    handler.run();
                    handler.run();
                },
                halts::add);
        assertThat(lifetime.of(gateway, this::ready)).isEqualTo(1);
        assertThat(halts).containsExactly(1);
    }

    @Test
    void aGatewayThatEndsByItselfHasFailed() {
        gateway.ended.countDown();
        assertThat(new Lifetime(handlers::add, halts::add).of(gateway, this::ready)).isEqualTo(1);
        assertThat(gateway.told).containsExactly("begin", "close");
    }

    /// Whoever reads that it is ready may send one.
    @Test
    void signalsAreUnderstoodBeforeItIsReady() {
        gateway.ended.countDown();
        new Lifetime(handler -> gateway.told.add("handler"), halts::add).of(gateway, () -> gateway.told.add("ready"));
        assertThat(gateway.told).containsExactly("handler", "begin", "ready", "close");
    }

    @Test
    void theFirstSignalIsHandledAndTheSecondStopsAtOnce() {
        List<String> handled = new ArrayList<>();
        new Lifetime(handlers::add, halts::add).onSignals(() -> handled.add("first"), () -> handled.add("last"));
        handlers.getFirst().run();
        assertThat(halts).isEmpty();
        handlers.getFirst().run();
        assertThat(halts).containsExactly(1);
        assertThat(handled).containsExactly("first", "last");
    }

    private void ready() {
        // Nobody is told.
    }
}

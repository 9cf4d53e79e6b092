package dev.latchkey.cli;

import dev.latchkey.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Starts nothing and notes what it was asked for.
final class FakeProgram implements Program {

    final List<String> asked = new ArrayList<>();
    final FakeGateway gateway = new FakeGateway();
    @Nullable
    Settings settings;
    final Map<String, RuntimeException> troubles = new HashMap<>();

    @Override
    public RunningGateway gateway(Settings wanted) {
        note("gateway");
        settings = wanted;
        return gateway;
    }

    @Override
    public void migrate(Settings wanted) {
        note("migrate");
    }

    @Override
    public RunningSandbox sandbox(String host, int port) {
        note("sandbox " + host + ":" + port);
        return new RunningSandbox() {

            @Override
            public int port() {
                return port == 0 ? 45_678 : port;
            }

            @Override
            public void close() {
                asked.add("sandbox closed");
            }
        };
    }

    private void note(String what) {
        asked.add(what);
        RuntimeException trouble = troubles.get(what);
        if (trouble != null) {
            throw trouble;
        }
    }

    /// Runs until it is drained or closed.
    static final class FakeGateway implements RunningGateway {

        final List<String> told = new ArrayList<>();
        final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public int port() {
            return 18_080;
        }

        @Override
        public int managementPort() {
            return 19_090;
        }

        @Override
        public void begin() {
            told.add("begin");
        }

        @Override
        public void drain() {
            told.add("drain");
            ended.countDown();
        }

        @Override
        public void awaitEnd() throws InterruptedException {
            ended.await();
        }

        @Override
        public void close() {
            told.add("close");
            ended.countDown();
        }
    }
}

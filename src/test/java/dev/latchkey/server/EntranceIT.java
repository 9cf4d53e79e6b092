package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SelectableChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A port that is shut while callers stand before it.
class EntranceIT {

    private static final String CALL = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final int CALLERS = 20;

    private final Server server = new Server();
    private final Entrance entrance = new Entrance(server, new HttpConnectionFactory());
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<Socket> callers = new ArrayList<>();

    @BeforeEach
    void holdTheFirstWhoComesIn() {
        server.addConnector(entrance);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                callback.succeeded();
                return true;
            }
        });
        entrance.getSelectorManager().addEventListener(new SelectorManager.AcceptListener() {
            @Override
            public void onAccepting(SelectableChannel channel) {
                held.countDown();
                awaitIt(goOn);
            }
        });
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket caller : callers) {
            caller.close();
        }
        goOn.countDown();
        server.stop();
    }

    /// The kernel has taken them when the port is told to close, the gateway has not.
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void whoStandsBeforeItIsServedAndNobodyElse(String host) throws Exception {
        entrance.setHost(host);
        server.start();
        for (int i = 0; i < CALLERS; i++) {
            call();
        }
        held.await();
        assertThat(entrance.connections()).isEqualTo(1);
        entrance.shut();
        assertThat(entrance.isOpen()).isTrue();

        goOn.countDown();

        for (Socket caller : callers) {
            assertThat(new String(caller.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200 ");
            caller.close();
        }
        await().until(() -> !entrance.isOpen() && entrance.connections() == 0);
        assertThatThrownBy(this::call).isInstanceOf(ConnectException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void itIsShutWhereNobodyComes(String host) throws Exception {
        goOn.countDown();
        entrance.setHost(host);
        server.start();
        entrance.shut();
        await().until(() -> !entrance.isOpen() && entrance.connections() == 0);
    }

    private static void awaitIt(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void call() throws IOException {
        Socket caller = new Socket(InetAddress.getLoopbackAddress(), entrance.getLocalPort());
        callers.add(caller);
        caller.setSoTimeout(60_000);
        caller.getOutputStream().write(CALL.getBytes(StandardCharsets.ISO_8859_1));
    }
}

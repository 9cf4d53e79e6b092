package dev.latchkey.downstream;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Downstream;
import dev.latchkey.gateway.Forward;
import dev.latchkey.gateway.SendWindow;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A downstream that wants an access token. Without one nothing is sent, provably. A 401 is answered as it came, and never
/// tried again with another token: only the next forward gets one. Safe for any number of threads.
public final class WithToken implements Downstream {

    private static final Log LOG = Log.of(WithToken.class);
    private static final int UNAUTHORIZED = 401;

    private final String route;
    private final Downstream downstream;
    private final Downstream server;
    private final Tokens tokens;
    private final Duration timeout;
    private final Clocks clocks;

    /// @param route whose downstream it is, for the log
    /// @param server the token server, whose URL is the whole one
    /// @param grant what is asked for
    public WithToken(String route, Downstream downstream, Downstream server, Grant grant, Clocks clocks) {
        this.route = route;
        this.downstream = downstream;
        this.server = server;
        this.tokens = new Tokens(new TokenEndpoint(server, grant, clocks), clocks);
        this.timeout = grant.timeout();
        this.clocks = clocks;
    }

    @Override
    public Outcome send(Forward forward, SendWindow window, Duration patience, Overflow overflow) {
        long start = clocks.nanos();
        try {
            Token token = tokens.get(patience.compareTo(timeout) < 0 ? patience : timeout);
            Duration left = patience.minusNanos(clocks.nanos() - start);
            Outcome outcome = downstream.send(with(token, forward), window, left, overflow);
            if (outcome instanceof Outcome.Answered answered && answered.status() == UNAUTHORIZED) {
                tokens.drop(token);
            }
            return outcome;
        } catch (NothingSent e) {
            LOG.warn(LogEvent.NO_TOKEN, "route", route, "why", e.getMessage());
            return new Outcome.NotSent(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Outcome.NotSent("interrupted");
        }
    }

    private static Forward with(Token token, Forward forward) {
        List<Header> headers = new ArrayList<>(forward.headers().lines());
        headers.add(new Header("Authorization", "Bearer " + token.value()));
        return new Forward(
                forward.method(), forward.path(), forward.query(), new Headers(headers), forward.body(),
                forward.keyed());
    }

    @Override
    public void close() {
        downstream.close();
        server.close();
    }
}

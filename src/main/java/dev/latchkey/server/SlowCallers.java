package dev.latchkey.server;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Upkeep;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Ends the connections of callers who send or read more slowly than they may, in rounds: header fields that dribble in, a
/// body that does, an answer that is not taken. The server's own bound is on silence, and a byte a minute is none. Safe for
/// any number of threads.
final class SlowCallers implements Connection.Listener, Upkeep.Task {

    static final Duration ROUND = Duration.ofSeconds(1);

    private static final String WATCH = Watch.class.getName();

    private final CallerPace pace;
    private final Duration idle;
    private final long mostUntaken;
    private final Clocks clocks;
    private final Map<Connection, Watch> watches = new ConcurrentHashMap<>();

    /// @param idle how long a connection may be silent
    /// @param mostUntaken bytes of answers that callers do not take; beyond them those go first that stand longest
    SlowCallers(CallerPace pace, Duration idle, long mostUntaken, Clocks clocks) {
        this.pace = pace;
        this.idle = idle;
        this.mostUntaken = mostUntaken;
        this.clocks = clocks;
    }

    /// How this connection's caller is watched.
    static Watch of(ConnectionMetaData connection) {
        if (connection.getAttribute(WATCH) instanceof Watch watch) {
            return watch;
        }
        throw new IllegalStateException("a connection that nobody watches");
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof ConnectionMetaData data) {
            Watch watch = new Watch(connection, pace, idle, clocks);
            data.setAttribute(WATCH, watch);
            watches.put(connection, watch);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        watches.remove(connection);
    }

    /// Tells from when to when a request is served.
    Handler.Wrapper handler() {
        return new Handler.Wrapper() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                Watch watch = of(request.getConnectionMetaData());
                Runnable end = watch.begin();
                Request.addCompletionListener(request, _ -> end.run());
                return super.handle(request, response, callback);
            }
        };
    }

    @Override
    public LogEvent event() {
        return LogEvent.SLOW_CALLERS;
    }

    @Override
    public int runOnce() {
        long now = clocks.nanos();
        List<Watch> slow = new ArrayList<>();
        List<Untaken> untaken = new ArrayList<>();
        for (Watch watch : watches.values()) {
            Watch.@Nullable Step step = watch.untaken(now);
            if (watch.isTooSlow(now)) {
                slow.add(watch);
            } else if (step != null && now - step.began() > ROUND.toNanos()) {
                untaken.add(new Untaken(watch, step.began(), step.held().getAsLong()));
            }
        }
        slow.addAll(beyond(untaken));
        slow.forEach(Watch::close);
        return slow.size();
    }

    private record Untaken(Watch watch, long began, long bytes) {}

    /// Those that must go so that the others do not hold too much.
    private List<Watch> beyond(List<Untaken> untaken) {
        long held = untaken.stream().mapToLong(Untaken::bytes).sum();
        List<Watch> gone = new ArrayList<>();
        untaken.sort(Comparator.comparingLong(Untaken::began));
        for (Untaken each : untaken) {
            if (held > mostUntaken && each.bytes() > 0) {
                held -= each.bytes();
                gone.add(each.watch());
            }
        }
        return gone;
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Upkeep;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.QuietException;
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

    private static final Log LOG = Log.of(SlowCallers.class);

    private final CallerPace pace;
    private final Duration idle;
    private final long mostStanding;
    private final Clocks clocks;
    private final Map<Connection, Watch> watches = new ConcurrentHashMap<>();

    /// @param idle how long a connection may be silent
    /// @param mostStanding bytes of bodies that callers do not finish and of answers that they do not take; beyond them
    ///     those go first that stand longest
    SlowCallers(CallerPace pace, Duration idle, long mostStanding, Clocks clocks) {
        this.pace = pace;
        this.idle = idle;
        this.mostStanding = mostStanding;
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
                Request.addCompletionListener(request, failure -> {
                    end.run();
                    tell(failure);
                });
                return super.handle(request, response, callback);
            }
        };
    }

    /// What nobody else has told: the server answers 500 to it and says nothing. A connection that breaks is no failure of
    /// ours, and a request that it cannot read is refused.
    private static void tell(@Nullable Throwable failure) {
        if (failure instanceof Error || (failure instanceof RuntimeException && !(failure instanceof QuietException))) {
            LOG.failure(LogEvent.FAILED, failure);
        }
    }

    @Override
    public LogEvent event() {
        return LogEvent.SLOW_CALLERS;
    }

    @Override
    public int runOnce() {
        long now = clocks.nanos();
        Set<Watch> slow = new HashSet<>();
        List<Standing> standing = new ArrayList<>();
        for (Watch watch : watches.values()) {
            if (watch.isTooSlow(now)) {
                slow.add(watch);
            } else {
                watch.standing(now)
                        .filter(step -> now - step.began() > ROUND.toNanos())
                        .map(step -> new Standing(watch, step.began(), step.held().getAsLong()))
                        .forEach(standing::add);
            }
        }
        slow.addAll(beyond(standing));
        slow.forEach(Watch::close);
        return slow.size();
    }

    private record Standing(Watch watch, long began, long bytes) {}

    /// Those that must go so that the others do not hold too much.
    private List<Watch> beyond(List<Standing> standing) {
        long held = standing.stream().mapToLong(Standing::bytes).sum();
        List<Watch> gone = new ArrayList<>();
        standing.sort(Comparator.comparingLong(Standing::began));
        for (Standing each : standing) {
            if (held > mostStanding && each.bytes() > 0) {
                held -= each.bytes();
                gone.add(each.watch());
            }
        }
        return gone;
    }
}

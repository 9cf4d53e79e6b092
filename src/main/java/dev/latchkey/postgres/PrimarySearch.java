package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One search for the primary among the hosts of the URL, for one connection.
///
/// The host that was the primary last is asked first, the others with it as soon as it fails or is slow: a frozen
/// machine's kernel still accepts connections, and nobody may wait for it while another host serves. Who says no is asked
/// again while the search lasts, so that a promotion is noticed soon. Where no host was the primary yet all are asked, and
/// of two that both take themselves for it the one promoted last is taken.
///
/// For one thread; each host is asked on a thread of its own.
final class PrimarySearch {

    private static final Duration HEAD_START = Duration.ofSeconds(1);
    private static final Duration ASK_AGAIN = Duration.ofMillis(250);
    private static final Duration FOR_STRAGGLERS = Duration.ofMillis(500);
    /// Longer than a host that is silent takes to be given up.
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final Primary primary;
    private final Opening opening;
    private final Clocks clocks;
    private final boolean patient;
    private final LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    /// Hosts to be asked, and when: monotonic nanoseconds.
    private final Map<Integer, Long> due = new HashMap<>();
    private int underWay;
    private boolean over;

    /// @param patient whether to ask again who said no
    PrimarySearch(Primary primary, Opening opening, Clocks clocks, boolean patient) {
        this.primary = primary;
        this.opening = opening;
        this.clocks = clocks;
        this.patient = patient;
    }

    /// Opens a connection to one host and checks its server.
    interface Opening {
        /// Asks the host of this URL.
        ///
        /// @throws SQLException when it is no primary that may be used
        Session open(String url) throws SQLException;
    }

    private sealed interface Answer {}

    private record Found(int host, Session session) implements Answer {}

    private record Refusal(int host, SQLException why) implements Answer {}

    /// Searches.
    ///
    /// @throws SQLException why none was found
    Session find() throws SQLException {
        try {
            return search();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while the primary was looked for", "08001", e);
        } finally {
            end();
        }
    }

    private Session search() throws SQLException, InterruptedException {
        int last = primary.last();
        boolean all = last == Primary.NOBODY;
        long now = clocks.nanos();
        for (int host = 0; host < primary.urls().size(); host++) {
            due.put(host, all || host == last ? now : now + HEAD_START.toNanos());
        }
        long end = now + PATIENCE.toNanos();
        while (left(end) > 0 && !primary.isClosed() && (underWay > 0 || !due.isEmpty())) {
            askThoseDue();
            switch (next(Math.min(left(end), ASK_AGAIN.toNanos()))) {
                case Found found -> {
                    Found newest = all ? newest(found) : found;
                    if (primary.admit(newest.host(), newest.session())) {
                        return newest.session();
                    }
                    close(newest.session());
                    refused(new Refusal(newest.host(), new NotReady("another server has been promoted since")));
                }
                case Refusal refusal -> refused(refusal);
                case null -> {
                    // Nobody answered yet.
                }
            }
        }
        throw why();
    }

    private long left(long end) {
        return end - clocks.nanos();
    }

    private void askThoseDue() {
        long now = clocks.nanos();
        for (int host = 0; host < primary.urls().size(); host++) {
            if (due.containsKey(host) && due.get(host) - now <= 0) {
                due.remove(host);
                underWay++;
                int asked = host;
                Thread.ofVirtual().name("ledger-search").start(() -> deliver(ask(asked)));
            }
        }
    }

    private Answer ask(int host) {
        try {
            return new Found(host, opening.open(primary.urls().get(host)));
        } catch (SQLException e) {
            return new Refusal(host, e);
        } catch (RuntimeException e) {
            return new Refusal(host, new SQLException("the driver failed", "LK002", e));
        }
    }

    private @Nullable Answer next(long nanos) throws InterruptedException {
        Answer answer = answers.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        if (answer != null) {
            underWay--;
        }
        return answer;
    }

    /// Of two that take themselves for the primary, the one promoted last.
    private Found newest(Found first) throws InterruptedException {
        Found newest = first;
        long end = clocks.nanos() + FOR_STRAGGLERS.toNanos();
        while (underWay > 0 && left(end) > 0) {
            switch (next(left(end))) {
                case Found other -> {
                    boolean better = isBefore(newest.session(), other.session());
                    close(better ? newest.session() : other.session());
                    newest = better ? other : newest;
                }
                case Refusal refusal -> refusals.put(refusal.host(), refusal);
                case null -> {
                    return newest;
                }
            }
        }
        return newest;
    }

    private static boolean isBefore(Session one, Session other) {
        Lineage first = one.lineage();
        Lineage second = other.lineage();
        return first != null && second != null && first.isBefore(second);
    }

    private void refused(Refusal refusal) {
        refusals.put(refusal.host(), refusal);
        long now = clocks.nanos();
        // The others need not wait for the last primary any longer.
        due.replaceAll((host, at) -> refusals.containsKey(host) ? at : now);
        if (patient && mayChange(refusal.why())) {
            due.put(refusal.host(), now + ASK_AGAIN.toNanos());
        }
        SQLException why = why();
        primary.problem(why instanceof UnfitServer || why instanceof NotReady ? why.getMessage() : null);
    }

    private boolean mayChange(SQLException why) {
        String state = String.valueOf(why.getSQLState());
        return state.startsWith("08") || state.startsWith("57") || state.startsWith("53")
                || (UnfitServer.isStandby(why) && primary.urls().size() > 1);
    }

    /// What to say of it: a reason that somebody must remove before one that passes by itself.
    private SQLException why() {
        SQLException worst = null;
        for (Refusal refusal : refusals.values()) {
            if (worst == null || rank(refusal.why()) > rank(worst)) {
                worst = refusal.why();
            }
        }
        if (worst == null || (rank(worst) == 0 && refusals.size() < primary.urls().size())) {
            return new SQLException("no primary answered in time", "08001");
        }
        return rank(worst) == 0 && primary.urls().size() > 1
                ? new NotReady("none of the hosts in ledger.url is a primary")
                : worst;
    }

    private static int rank(SQLException why) {
        if (UnfitServer.isStandby(why)) {
            return 0;
        }
        String state = String.valueOf(why.getSQLState());
        return why instanceof UnfitServer
                ? 4
                : why instanceof NotReady ? 3 : state.startsWith("28") || state.startsWith("3D") ? 2 : 1;
    }

    private synchronized void deliver(Answer answer) {
        if (!over) {
            answers.add(answer);
        } else if (answer instanceof Found late) {
            close(late.session());
        }
    }

    /// Whoever still answers is let go of.
    private synchronized void end() {
        over = true;
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            if (answer instanceof Found late) {
                close(late.session());
            }
        }
    }

    private static void close(Session session) {
        try {
            session.connection().close();
        } catch (SQLException e) {
            // It is gone, which is what was wanted.
        }
    }
}

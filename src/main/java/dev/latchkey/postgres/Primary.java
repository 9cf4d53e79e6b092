package dev.latchkey.postgres;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// What this replica knows of the ledger's primary: the hosts that may be it, the one that was it last, and the newest
/// history seen. A server with an older one has been replaced: it may live, and must not be believed. Safe for any number
/// of threads.
final class Primary {

    static final int NOBODY = -1;

    private final List<String> urls;
    private volatile int last = NOBODY;
    private volatile long takeovers;
    private volatile boolean closed;
    private volatile boolean pooled;
    private volatile @Nullable String problem;
    private final List<Runnable> onLoss = new CopyOnWriteArrayList<>();
    private @Nullable Lineage newest;

    Primary(String url) {
        this.urls = HostUrls.of(url);
    }

    /// A URL for each host.
    List<String> urls() {
        return urls;
    }

    /// Which of them was the primary last, or [#NOBODY].
    int last() {
        return last;
    }

    /// A session was silent or broke: whoever is asked next shall ask all hosts.
    void doubt() {
        last = NOBODY;
    }

    /// The server behind a session takes no writes any more: no session that may lead there is used again.
    void deposed() {
        doubt();
        onLoss.forEach(Runnable::run);
    }

    /// Run when another server has taken over, before anybody hears of it, or must have: lets go of what the old one holds.
    void onLoss(Runnable letGo) {
        onLoss.add(letGo);
    }

    /// How often another server has taken over: work that began under another count may have met a replaced server.
    long takeovers() {
        return takeovers;
    }

    /// Makes this session's server the primary.
    ///
    /// @return whether it is: false for a server that has been replaced
    synchronized boolean admit(int host, Session session) {
        Lineage seen = session.lineage();
        Lineage known = newest;
        if (seen != null && known != null && seen.isBefore(known)) {
            return false;
        }
        if (seen != null && known != null && !seen.equals(known)) {
            onLoss.forEach(Runnable::run);
            takeovers++;
        }
        if (seen != null) {
            newest = seen;
        }
        pooled |= session.pooled();
        last = host;
        problem = null;
        return true;
    }

    /// Whether a pooler has been met on the way to it: then no session is ours alone.
    boolean isPooled() {
        return pooled;
    }

    /// Why no server could be had when last asked.
    String whyNot() {
        return whyNot("it does not answer");
    }

    /// The same, or that where nobody has said.
    String whyNot(String silent) {
        String known = problem;
        return known == null ? silent : known;
    }

    void problem(@Nullable String why) {
        problem = why;
    }

    boolean isClosed() {
        return closed;
    }

    /// Nobody looks for it any more.
    void close() {
        closed = true;
    }
}

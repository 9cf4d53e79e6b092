package dev.latchkey.server;

import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Lets the first request into Javalin by itself. What all its requests share, Javalin makes when the first of them comes,
/// and unguarded: of two that come first together, one may find it half made, and fails. Safe for any number of threads.
final class FirstAlone extends Handler.Wrapper {

    private final ReentrantLock entrance = new ReentrantLock();
    private volatile boolean made;

    /// This request has what all share: from now on they come as they like.
    void made() {
        if (!made) {
            made = true;
            leave();
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (made) {
            return super.handle(request, response, callback);
        }
        entrance.lock();
        try {
            if (made) {
                // Else those who waited for the first would go in one after the other, each for as long as its call lasts.
                leave();
            }
            return super.handle(request, response, callback);
        } finally {
            // Where it failed too early, the next one makes it.
            leave();
        }
    }

    private void leave() {
        if (entrance.isHeldByCurrentThread()) {
            entrance.unlock();
        }
    }
}

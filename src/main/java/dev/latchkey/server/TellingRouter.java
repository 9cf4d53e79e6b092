package dev.latchkey.server;

import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import io.javalin.config.JavalinState;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.router.InternalRouter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Javalin's router, but what fails and is nobody's to answer is told in the log and becomes a problem. By itself Javalin
/// answers 500, with a word of its own or none, and what it says in its log may quote anything. Safe for any number of
/// threads.
final class TellingRouter extends InternalRouter {

    private static final Log LOG = Log.of(TellingRouter.class);

    TellingRouter(JavalinState javalin) {
        super(javalin.wsRouter, javalin.eventManager, javalin.router, javalin.jetty);
    }

    /// What a handler threw.
    @Override
    public void handleHttpException(Context context, Throwable failure) {
        // A page that is not there, or a caller who is gone.
        if (failure instanceof HttpResponseException || failure instanceof IOException) {
            super.handleHttpException(context, failure);
        } else {
            fail(context.res(), failure);
        }
    }

    /// What failed before any handler, or after the last.
    @Override
    public @Nullable Void handleHttpUnexpectedThrowable(HttpServletResponse response, Throwable failure) {
        if (failure instanceof IOException) {
            return super.handleHttpUnexpectedThrowable(response, failure);
        }
        fail(response, failure);
        return null;
    }

    private static void fail(HttpServletResponse response, Throwable failure) {
        LOG.failure(LogEvent.FAILED, failure);
        if (response.isCommitted()) {
            return;
        }
        try {
            // ParserRefusals says it.
            response.sendError(500);
        } catch (IOException _) {
            // The caller is gone.
        }
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.UUID;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Says what the HTTP parser refuses by itself, and what fails outside our handlers, as problems too.
final class ParserRefusals implements Request.Handler {

    private static final Log LOG = Log.of(ParserRefusals.class);

    /// How the parser names paths that it cannot take apart: contract §2 has a name for these.
    private static final Set<String> PATHS = Set.of("Bad URI", "Bad URI % encoding", "Illegal character in path");

    /// The method that the parser shows of a request whose first line it could not take apart.
    private static final String NO_TARGET = "BAD";

    private final AnswerWriter writer = new AnswerWriter();

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Object status = request.getAttribute(ErrorHandler.ERROR_STATUS);
        Object failure = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        Refusal refusal = refusal(
                status instanceof Integer code ? code : 500, failure instanceof Throwable thrown ? thrown : null,
                request);
        String instance = "urn:uuid:" + UUID.randomUUID();
        LOG.info(
                LogEvent.REFUSED, "answer", refusal.problem().slug(), "status", refusal.status(), "instance", instance);
        Reply reply = writer.reply(
                new Answer.Refused(refusal), AnswerWriter.Marks.NONE, instance);
        response.setStatus(reply.status());
        reply.headers().forEach(line -> response.getHeaders().add(new HttpField(line.name(), line.value())));
        if (refusal.problem() == Problem.METHOD_NOT_ALLOWED) {
            response.getHeaders().put("Allow", CallHandler.ALLOW);
        }
        response.getHeaders().put("Content-Length", reply.body().length());
        response.getHeaders().put(request.getConnectionMetaData().getConnector().getServer().getDateField());
        // Where the next request would begin is not sure any more.
        response.getHeaders().put("Connection", "close");
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        // After CONNECT the connection would be left open for a tunnel.
        response.write(
                true, ByteBuffer.wrap(reply.body().bytes()),
                "CONNECT".equals(request.getMethod()) ? Callback.from(callback, (Runnable) endPoint::close) : callback);
        return true;
    }

    private static Refusal refusal(int status, @Nullable Throwable failure, Request request) {
        if ("CONNECT".equals(request.getMethod())) {
            return CallHandler.methodNotAllowed().refusal();
        }
        if (status == 414 || status == 431) {
            return Refusal.of(
                    Problem.HEADER_FIELDS_TOO_LARGE,
                    "Target and header fields together are larger than this gateway takes.");
        }
        if (status == 404) {
            return CallHandler.noSuchRoute().refusal();
        }
        if (status == 503) {
            // Read when the server had begun to stop: no handler of ours has seen it.
            return Answers.draining();
        }
        if (status >= 500 && status != 505) {
            return Refusal.of(Problem.INTERNAL_ERROR, "The gateway failed. Call again with the same key.");
        }
        if (failure != null && NO_TARGET.equals(request.getMethod()) && namesPath(failure.getCause())) {
            return Refusal.of(
                    Problem.PATH_INVALID,
                    "The path has a bad percent escape, an encoded NUL, or leads out of the root. Nothing was forwarded by"
                            + " this call.");
        }
        return Refusal.of(
                Problem.REQUEST_INVALID,
                "The request is not well-formed HTTP/1.1 (RFC 9112). Nothing was forwarded by this call.");
    }

    private static boolean namesPath(@Nullable Throwable cause) {
        return cause instanceof NumberFormatException
                || (cause instanceof IllegalArgumentException && PATHS.contains(String.valueOf(cause.getMessage())));
    }
}

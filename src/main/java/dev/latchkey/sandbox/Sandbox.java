package dev.latchkey.sandbox;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;

/// The sandbox downstream: payments, which deduplicate by `Idempotency-Key`, and notifications, which do not. It counts
/// every effect, shows the counts under `GET /effects`, and makes the trouble that [Fault] names. It keeps all in memory,
/// the newest 100,000 effects. Safe for any number of threads.
///
/// A key is read bare or quoted, as one and the same. Its second payment is answered with the first, whatever is in its
/// body; a refused one leaves its key free.
public final class Sandbox implements AutoCloseable {

    private static final int MOST_EFFECTS = 100_000;
    private static final int LONGEST_KEY = 255;
    private static final int PAGE = 100;
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final long LARGEST_BODY = 4 * 1024 * 1024;

    private final Effects effects = new Effects(MOST_EFFECTS);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Javalin server = Javalin.create(this::configure);

    private Sandbox() {}

    /// Starts it and returns once it answers.
    ///
    /// @param port 0: any free one
    public static Sandbox start(String host, int port) {
        Sandbox sandbox = new Sandbox();
        sandbox.server.start(host, port);
        return sandbox;
    }

    /// The port it listens on.
    public int port() {
        return server.port();
    }

    /// Stops at once; calls under way are cut.
    @Override
    public void close() {
        closing.countDown();
        server.stop();
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.http.maxRequestSize = LARGEST_BODY;
        config.http.prefer405over404 = true;
        config.routes.post("/payments", answering(this::pay));
        config.routes.get("/payments", answering(this::findPayments));
        config.routes.get("/payments/{id}", answering(this::showPayment));
        config.routes.post("/notifications", answering(this::sendNotification));
        config.routes.get("/effects", context -> Answer.of(200, effects.tally()).writeTo(context));
        config.routes.exception(Refusal.class, (refusal, context) -> refusal.answer().writeTo(context));
        config.routes.exception(MethodNotAllowedResponse.class, Sandbox::refuseMethod);
        config.routes.exception(HttpResponseException.class, Sandbox::refuse);
    }

    private Answer pay(Context context) {
        byte[] body = context.bodyAsBytes();
        PaymentOrder order = String.valueOf(context.contentType()).startsWith(FORM)
                ? PaymentOrder.ofForm(context.formParam("amount"), context.formParam("currency"))
                : PaymentOrder.read(body);
        Payment payment = effects.pay(key(context), body, order);
        return Answer.created("/payments/" + payment.id(), payment);
    }

    private Answer findPayments(Context context) {
        if (context.queryString() == null) {
            return Answer.of(200, Map.of("data", effects.newestPayments(PAGE)));
        }
        String key = context.queryParam("idempotency_key");
        if (key == null) {
            // The newest payments here would tell a lookup that its key had paid.
            throw new Refusal(400,
                    "The query has no readable idempotency_key. Send ?idempotency_key=KEY, or no query.");
        }
        return Answer.of(200, Map.of("data", effects.paymentsOf(key)));
    }

    private Answer showPayment(Context context) {
        return effects.payment(context.pathParam("id"))
                .map(payment -> Answer.of(200, payment))
                .orElseGet(() -> Answer.problem(404, "The sandbox remembers no payment of this id."));
    }

    private Answer sendNotification(Context context) {
        return Answer.of(202, Map.of("id", effects.notification(key(context), context.bodyAsBytes())));
    }

    private Handler answering(Function<Context, Answer> act) {
        return context -> {
            Fault fault = Fault.read(context.header(Fault.HEADER));
            Answer answer = fault.letsItHappen() ? actOrRefuse(act, context) : inPlaceOfActing(fault.status());
            waitFor(fault.delay());
            if (fault.drop().isPresent()) {
                hangUp(context);
            } else {
                answer.writeTo(context);
            }
        };
    }

    private static Answer actOrRefuse(Function<Context, Answer> act, Context context) {
        try {
            return act.apply(context);
        } catch (Refusal refusal) {
            return refusal.answer();
        }
    }

    private static Answer inPlaceOfActing(OptionalInt asked) {
        int status = asked.orElse(500);
        return status < 400
                ? Answer.empty(status)
                : Answer.problem(status, Fault.HEADER + " asked for this status. Nothing took effect.");
    }

    private void waitFor(Duration delay) throws InterruptedException {
        if (closing.await(delay.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new Refusal(503, "The sandbox is stopping.");
        }
    }

    /// Resets the connection, so that the caller learns as little as possible.
    private static void hangUp(Context context) throws IOException {
        EndPoint connection = ServletContextRequest.getServletContextRequest(context.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
        if (connection.getTransport() instanceof SocketChannel channel) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        connection.close();
    }

    private static Optional<String> key(Context context) {
        Optional<String> sent = Optional.ofNullable(context.header("Idempotency-Key"))
                .map(String::strip)
                .map(Sandbox::unquoted)
                .filter(key -> !key.isEmpty());
        if (sent.isPresent() && sent.get().length() > LONGEST_KEY) {
            throw new Refusal(400, "Idempotency-Key may have at most " + LONGEST_KEY + " characters.");
        }
        return sent;
    }

    private static String unquoted(String key) {
        boolean quoted = key.length() >= 2 && key.startsWith("\"") && key.endsWith("\"");
        return quoted ? key.substring(1, key.length() - 1).replaceAll("\\\\([\"\\\\])", "$1") : key;
    }

    private static void refuseMethod(MethodNotAllowedResponse e, Context context) {
        context.header("Allow", String.join(", ", e.getDetails().values()));
        refuse(e, context);
    }

    private static void refuse(HttpResponseException e, Context context) {
        Answer.problem(e.getStatus(), String.valueOf(e.getMessage())).writeTo(context);
    }
}

package dev.latchkey.server;

import dev.latchkey.bench.ParentWatch;
import dev.latchkey.gateway.SystemClocks;
import java.nio.charset.StandardCharsets;

/// The gateway's own web server, set up in the same way, before a handler that reads the body and answers a constant:
/// what no replay can be faster than. A program of its own, which ends with whoever started it.
public final class ConstantServer {

    private static final int HEADER_FIELDS = 16 * 1024;

    private ConstantServer() {}

    /// @param arguments the body to answer
    public static void main(String[] arguments) {
        ParentWatch.endWithInput();
        byte[] body = arguments[0].getBytes(StandardCharsets.US_ASCII);
        Listener listener = Listener.start(
                new Listener.Settings("127.0.0.1", 0, HEADER_FIELDS, GatewaySettings.USUAL_IDLE, CallerPace.USUAL,
                        Long.MAX_VALUE, null),
                routes -> routes.post("/payments", context -> {
                    context.bodyAsBytes();
                    context.status(201).contentType("application/json").result(body);
                }),
                new SystemClocks());
        System.out.println("port " + listener.port());
    }
}

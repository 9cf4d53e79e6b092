package dev.latchkey.e2e;

import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import io.restassured.filter.Filter;
import io.restassured.response.Response;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Every answer of the gateways that any test of this run saw: the last test holds them against the public contract. Safe
/// for any number of threads.
final class Answers {

    private static final Queue<Exchange> SEEN = new ConcurrentLinkedQueue<>();

    private Answers() {}

    static void add(Exchange exchange) {
        SEEN.add(exchange);
    }

    static List<Exchange> seen() {
        return List.copyOf(SEEN);
    }

    /// Records what REST-assured sees.
    static Filter recorder() {
        return (request, specification, context) -> {
            Response response = context.next(request, specification);
            List<Header> lines = response.headers().asList().stream()
                    .map(h -> new Header(h.getName(), h.getValue()))
                    .toList();
            String path = pathOf(request.getURI());
            Body body = Body.of(response.asByteArray());
            add(new Exchange(request.getMethod(), path, response.statusCode(), new Headers(lines), body));
            return response;
        };
    }

    private static String pathOf(String uri) {
        int start = uri.indexOf('/', uri.indexOf("://") + 3);
        String target = start < 0 ? "/" : uri.substring(start);
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}

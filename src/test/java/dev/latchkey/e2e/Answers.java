package dev.latchkey.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import io.restassured.filter.Filter;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Every answer of the gateways that any test of this run saw, in any process: the last suite holds them against the public
/// contract. They are written as they come, one a line. Safe for any number of threads.
final class Answers {

    private static final String KIND = ".answers";
    private static final ObjectMapper JSON = new ObjectMapper();

    private Answers() {}

    /// This process's own file, made for its first answer.
    private static final class Mine {

        static final Writer FILE = open();

        private static Writer open() {
            try {
                return Files.newBufferedWriter(Seen.newFile("process-" + ProcessHandle.current().pid(), KIND));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void add(Exchange exchange) {
        ObjectNode line = JSON.createObjectNode()
                .put("method", exchange.method())
                .put("path", exchange.path())
                .put("status", exchange.status());
        ArrayNode headers = line.putArray("headers");
        exchange.headers().forEach(header -> headers.addArray().add(header.name()).add(header.value()));
        line.put("body", exchange.body().bytes());
        synchronized (Mine.FILE) {
            try {
                Mine.FILE.write(line + "\n");
                // The process may be killed.
                Mine.FILE.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static List<Exchange> seen() {
        List<Exchange> seen = new ArrayList<>();
        try {
            for (Path file : Seen.files(KIND)) {
                for (String line : Files.readAllLines(file)) {
                    seen.add(exchange(JSON.readTree(line)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seen;
    }

    private static Exchange exchange(JsonNode line) throws IOException {
        List<Header> headers = new ArrayList<>();
        line.path("headers").forEach(each -> headers.add(new Header(each.path(0).asText(), each.path(1).asText())));
        return new Exchange(
                line.path("method").asText(), line.path("path").asText(), line.path("status").asInt(),
                new Headers(headers), Body.of(line.path("body").binaryValue()));
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

package dev.latchkey.sandbox;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// One answer of the sandbox, before it is known whether a fault keeps it from the caller.
///
/// @param body what becomes the JSON body; empty: none
record Answer(int status, Optional<String> location, String contentType, Optional<Object> body) {

    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    static Answer of(int status, Object body) {
        return new Answer(status, Optional.empty(), JSON, Optional.of(body));
    }

    static Answer created(String location, Object body) {
        return new Answer(201, Optional.of(location), JSON, Optional.of(body));
    }

    static Answer empty(int status) {
        return new Answer(status, Optional.empty(), JSON, Optional.empty());
    }

    /// A problem document (RFC 9457 §3.1).
    static Answer problem(int status, String detail) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", "about:blank");
        problem.put("title", HttpStatus.forStatus(status).getMessage());
        problem.put("status", status);
        problem.put("detail", detail);
        return new Answer(status, Optional.empty(), PROBLEM, Optional.of(problem));
    }

    void writeTo(Context context) {
        context.status(status);
        location.ifPresent(place -> context.header("Location", place));
        body.ifPresent(value -> context.contentType(contentType).result(Json.write(value)));
    }
}

package dev.latchkey.server;

import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;

/// The place in a trace (W3C Trace Context) that a batch came with: that of each of its lines which names none of its own.
/// Immutable.
final class BatchTrace {

    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";

    private final Headers fields;

    /// @param batch its header fields
    BatchTrace(Headers batch) {
        this.fields = batch.only(line -> line.is(PARENT) || line.is(STATE));
    }

    /// The line's call.
    Request of(Request line) {
        if (line.headers().has(PARENT) || !fields.has(PARENT)) {
            return line;
        }
        Headers headers = line.headers().without(STATE);
        for (Header each : fields) {
            headers = headers.plus(each.name(), each.value());
        }
        return new Request(line.method(), line.path(), line.query(), headers, line.body());
    }
}

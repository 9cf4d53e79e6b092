package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;

/// Outcomes for tests.
final class Outcomes {

    private Outcomes() {}

    static Outcome.Answered answered(int status) {
        return new Outcome.Answered(status, Headers.empty(), Body.ofUtf8("done"), true);
    }
}

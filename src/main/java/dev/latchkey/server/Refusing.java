package dev.latchkey.server;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;

/// Ends a request with a refusal, from wherever it is noticed.
final class Refusing extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    Refusing(Problem problem, String detail) {
        super(problem.slug(), null, false, false);
        this.refusal = Refusal.of(problem, detail);
    }

    Refusing(Refusal refusal) {
        super(refusal.problem().slug(), null, false, false);
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}

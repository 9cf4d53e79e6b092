package dev.latchkey.sandbox;

import java.io.Serial;

/// A request that the sandbox turns down without any effect. Thrown to the edge, where it becomes the answer.
final class Refusal extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int status;

    Refusal(int status, String detail) {
        super(detail);
        this.status = status;
    }

    Refusal(int status, String detail, Throwable cause) {
        super(detail, cause);
        this.status = status;
    }

    Answer answer() {
        return Answer.problem(status, String.valueOf(getMessage()));
    }
}

package dev.latchkey.cli;

/// Something outside the program keeps it from starting or going on: a port in use, a ledger out of reach. Its message is
/// a sentence for people that says what to do next; it holds no secret.
public final class StartFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StartFailure(String sentence) {
        super(sentence);
    }

    public StartFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}

package dev.latchkey.downstream;

/// No connection came about, so not a byte of the request left. The message says why in a few words, for people.
final class NothingSent extends Exception {

    private static final long serialVersionUID = 1L;

    NothingSent(String reason) {
        super(reason);
    }

    NothingSent(String reason, Throwable cause) {
        super(reason, cause);
    }
}

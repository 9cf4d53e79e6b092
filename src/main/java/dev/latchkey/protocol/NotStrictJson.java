package dev.latchkey.protocol;

/// The body is no JSON by the contract's strict reading. Thrown and caught inside this package, without a stack trace:
/// for hostile bodies it is the usual way out.
final class NotStrictJson extends Exception {

    private static final long serialVersionUID = 1;

    NotStrictJson() {
        super("not strictly valid JSON", null, false, false);
    }
}

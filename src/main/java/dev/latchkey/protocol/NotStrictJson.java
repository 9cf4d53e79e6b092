package dev.latchkey.protocol;

/// The body is no JSON by the contract's strict reading. Thrown and caught inside this package, without a stack trace:
/// for hostile bodies it is the usual way out.
final class NotStrictJson extends Exception {

    private static final long serialVersionUID = 1;

    private final String what;

    /// @param what is wrong at the byte at hand; holds nothing of the body
    NotStrictJson(String what) {
        super(null, null, false, false);
        this.what = what;
    }

    String what() {
        return what;
    }
}

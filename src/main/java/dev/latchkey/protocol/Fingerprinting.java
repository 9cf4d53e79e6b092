package dev.latchkey.protocol;

/// What taking a request's fingerprint came to.
public sealed interface Fingerprinting {

    /// It was taken.
    ///
    /// @param digest the same request's content, for the fingerprint it would have under another method or target
    /// @param reading how the body was read for it
    record Taken(Fingerprint fingerprint, RequestDigest digest, Reading reading) implements Fingerprinting {}

    /// The body is not what its `Content-Encoding` says: 400 `request-invalid`.
    ///
    /// @param reason what is wrong; holds nothing of the body
    record Undecodable(String reason) implements Fingerprinting {}

    /// The body is larger than allowed once decoded: 413 `body-too-large`.
    ///
    /// @param limit the most bytes allowed
    record TooLarge(long limit) implements Fingerprinting {}
}

package dev.latchkey.protocol;

/// How a body was read for its fingerprint (contract §4).
///
/// @param kind what the media type says that it is
/// @param kept whether the body is that; one that is not counts byte for byte
public record Reading(Kind kind, boolean kept) {

    /// What bodies are read as.
    public enum Kind {
        JSON, FORM, MULTIPART, BYTES
    }
}

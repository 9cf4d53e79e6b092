package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import java.util.Optional;

/// Says why a body fails the strict reading of JSON (contract §4), to a person who debugs. No state.
public final class StrictJson {

    private StrictJson() {}

    /// The first thing that is wrong.
    ///
    /// @param what in words; holds nothing of the body
    /// @param at how many bytes of the body come before the place where it shows
    public record Fault(String what, int at) {}

    /// What is wrong with a body; empty if it is strictly valid.
    public static Optional<Fault> fault(Body body) {
        return CanonicalJson.fault(body.bytes());
    }
}

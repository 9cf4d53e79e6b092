package dev.latchkey.protocol;

/// On which grounds a claim is made; each is one compare-and-set.
public sealed interface Grounds {

    /// No entry is known: insert one under the unique constraint.
    record NoEntry() implements Grounds {}

    /// A new generation of an entry that is released, past its retention, or recorded with a rejection that this request
    /// corrects. The correction number grows only by a recorded rejection (G19).
    ///
    /// @param seen the attempt that the entry had when it was read
    record NewGeneration(long seen) implements Grounds {}

    /// Another forward of a request in doubt, with the same downstream key.
    ///
    /// @param seen the attempt that the entry had when it was read
    record Reforward(long seen) implements Grounds {}
}

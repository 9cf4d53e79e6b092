package dev.latchkey.testing;

/// The two ways of a connection through a [CuttingProxy].
public enum Way {
    /// From the one that connected.
    REQUEST,
    /// From the one that it connected to.
    ANSWER;

    Way opposite() {
        return this == REQUEST ? ANSWER : REQUEST;
    }
}

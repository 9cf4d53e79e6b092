package dev.latchkey.bench;

/// One side of a comparison.
interface Side {

    String name();

    /// Lets so many callers call, and looks at what that comes to.
    Look look(Bench bench, int callers) throws Exception;
}

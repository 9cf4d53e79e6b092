package dev.latchkey.postgres;

/// Sees how large the batches of a group commit are, and how long they take. Safe for any number of threads.
public interface BatchWatch {

    /// Nobody looks.
    BatchWatch NONE = (items, nanos) -> {
    };

    /// A batch is over, well or not.
    void over(int items, long nanos);
}

package dev.latchkey.torture;

/// A call that no answer came to: it may have done anything.
///
/// @param request which of the requests under its key: its body
/// @param asked monotonic nanoseconds when the call began
record Unanswered(String request, long asked) {}

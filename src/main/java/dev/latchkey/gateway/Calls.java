package dev.latchkey.gateway;

/// Answers calls: with a key from the ledger or by one forward, without a key by one forward. Safe for any number of
/// threads; blocks its caller for as long as the answer takes.
public interface Calls {

    /// Answers one call. What goes wrong on the way is an [Answer.Refused]; an exception means that the gateway is broken.
    Answer answer(Call call);
}

package dev.latchkey.protocol;

/// What is to be done with a call.
public sealed interface Decision {

    /// Claim, and forward if the claim wins.
    record Forward(Grounds grounds) implements Decision {}

    /// Answer from the ledger.
    record Replay(Entry entry, RecordedResponse response) implements Decision {}

    /// Attach to the attempt under way.
    record Wait(long attempt) implements Decision {}

    /// The claim's lease is over: put it in doubt, then look again.
    record Sweep(long attempt) implements Decision {}

    /// Say no, and what is known.
    record Refuse(Refusal refusal) implements Decision {}
}

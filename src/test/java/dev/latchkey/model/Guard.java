package dev.latchkey.model;

/// The guards of the protocol, each a switch: an exploration may do without one of them, as if the code had never had it.
/// What each keeps from happening is told in the design's ledger page under the same number.
public enum Guard {
    /// All of them hold.
    NONE("every guard holds", Scenario.of("a1 a2"), ""),
    G1_ATTEMPT("a transition does not compare the attempt", pair().deduplicating(),
            "an effect of a request that was told"),
    G1_STATE("a doubt compares the attempt only, not the state", pair().lookedUp(), "a freed key is taken back"),
    G2("a re-forward that was not sent, or was answered with a released status, frees the key", pair().deduplicating(),
            "a caller was told 502 not-forwarded"),
    G3("a re-forward's 4xx is recorded", pair().answeringCopies(), "a caller was told 409 as recorded, though"),
    G4("*not executed* is believed though the look began before the settle delay was over", pair().lookedUp(),
            Wrong.SECOND),
    G5_ATTEMPT("a verdict settles whatever attempt it finds", pair().deduplicating().judged(),
            "a caller was told 502 not-forwarded"),
    G5_OWN("*executed* keeps the attempt's id, and what has that id passes for the attempt's own record",
            pair().judged().losing(1), "two callers with one request were told different recorded answers"),
    G5_WATCH("the settler believes the ledger's clock alone", pair().lookedUp().jumping(), Wrong.SECOND),
    G6("the send window begins when the claim is acknowledged", pair().losing(1).lookedUp(), Wrong.SECOND),
    G7_READ("an own claim is confirmed by a read", pair().losing(1).failingOver(), Wrong.SECOND),
    G7_STATE("an own claim counts in any state, and its send window begins anew", pair().losing(1).lookedUp(),
            Wrong.SECOND),
    G8("an attempt whose caller was told 503 goes on", pair().losing(1), "a call that was told 503 sends"),
    G9_ONCE("a dead claim is released once, not until it is surely gone", pair().losing(1), Wrong.WEDGED),
    G9_SWEPT("an attempt that sent nothing cannot release its claim once it is swept", pair(), Wrong.WEDGED),
    G10_REJECTIONS("rejections are kept in memory", Scenario.of("a1 b2 a1").correcting().caching(),
            "a caller was told 422 as recorded, though"),
    G10_MISMATCH("a mismatch is decided from memory, which keeps rejections",
            Scenario.of("a1 b2 b1").correcting().caching(), "422 for the very request that is recorded"),
    G11("who waits does not compare fingerprints", Scenario.of("a1 b1"), "a call with one body is given"),
    G11_WAITED("a call that waited through a doubt forwards", pair().deduplicating(), "a call that waited"),
    G12("the standby is asynchronous", pair().failingOver(), Wrong.SECOND),
    G13("a re-forward is made though it may arrive after the window", pair().deduplicating(), Wrong.SECOND),
    G14_SWEEP("the sweep repeats no condition in its update", pair(), "a recorded entry is written over"),
    G14_PURGE("the purge repeats no condition in its delete", pair().expiringRejections(1), "a claim is taken away"),
    G14_CLAIM("a claim on what is past its retention compares nothing", Scenario.of("a1 a2 a1").expiringRejections(0),
            "a claim is taken away"),
    G15("erasure deletes the entry", pair().erased(), Wrong.SECOND),
    G16("an attempt that lost answers from its own outcome", pair().lookedUp(),
            "a caller was told 502 outcome-unknown"),
    G17("a cached answer outlives its entry", Scenario.of("a1 a2 a1").caching().expiring(0),
            "two callers with one request were told different recorded answers"),
    G18("a genuine success that finds its key freed is only noted", pair().judged().stallingForEver(),
            "a genuine success was heard, and the key is free"),
    G19("the correction number does not survive release", Scenario.of("a1 b2 b1").correcting(),
            "a downstream key comes back"),
    G20("whatever is recorded with a 4xx counts as a rejection", Scenario.of("a1 a2 b2").recordingCopies().correcting(),
            Wrong.SECOND),
    G21("a claim deletes the old response though it loses", Scenario.of("a1 b2 b1").correcting(),
            "a recorded response is gone"),
    G22("a connection that timed out is closed without a reset, so that its bytes may still be delivered",
            pair().lookedUp(), Wrong.SECOND);

    private final String without;
    // Immutable once made, by its methods; its fields are not final, for their copies.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Scenario scenario;
    private final String wrong;

    Guard(String without, Scenario scenario, String wrong) {
        this.without = without;
        this.scenario = scenario;
        this.wrong = wrong;
    }

    private static final class Wrong {
        static final String SECOND = "a second effect";
        static final String WEDGED = "the key is in doubt for ever";
    }

    /// Two calls with one request, on two replicas.
    private static Scenario pair() {
        return Scenario.of("a1 a2");
    }

    /// What is otherwise without it.
    String without() {
        return without;
    }

    /// A scenario in which it is missed.
    public Scenario scenario() {
        return scenario;
    }

    /// What then goes wrong: how the sentence begins.
    String wrong() {
        return wrong;
    }
}

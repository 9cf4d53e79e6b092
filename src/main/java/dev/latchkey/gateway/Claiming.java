package dev.latchkey.gateway;

import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Trace;
import java.time.Duration;
import java.util.Optional;

/// Makes a claim, and finds out what became of one whose acknowledgement was lost. Safe for any number of threads.
final class Claiming {

    /// For how long a call may begin to look before it is told 503: a silent ledger is answered within ten seconds in all,
    /// and the last look may cost most of them.
    private static final Duration FIND_OUT = Duration.ofSeconds(1);
    /// A claim that took longer has met a silence, or has waited in vain for a standby: a look would do so once more.
    private static final Duration PROMPT = Duration.ofMillis(1_500);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Ledger ledger;
    private final Abandoning abandoning;
    private final Clocks clocks;

    Claiming(Ledger ledger, Abandoning abandoning, Clocks clocks) {
        this.ledger = ledger;
        this.abandoning = abandoning;
        this.clocks = clocks;
    }

    /// Claims.
    ///
    /// @throws LedgerUnavailable when nobody knows whether it won: then the attempt is dead, and its claim is released in the
    ///     background for as long as it may appear (G8, G9)
    Ledger.Claimed claim(Claim claim, Trace trace) {
        try (Trace.Step step = trace.begin(Trace.Part.CLAIM)) {
            Ledger.Claimed claimed = claim(claim);
            step.came(claimed instanceof Ledger.Claimed.Won ? "won" : "lost", 0, null);
            return claimed;
        }
    }

    private Ledger.Claimed claim(Claim claim) {
        Patience prompt = Patience.of(clocks, PROMPT);
        try {
            return ledger.claim(claim);
        } catch (LedgerUnavailable e) {
            if (!e.commitUnknown()) {
                throw e;
            }
            Optional<Entry> mine = prompt.isSpent() ? Optional.empty() : findOut(claim);
            if (mine.isPresent()) {
                return new Ledger.Claimed.Won(mine.get());
            }
            abandoning.add(claim);
            throw e;
        }
    }

    /// Mine means: my attempt, still claimed, and confirmed by a durable write, never by a read (G7).
    private Optional<Entry> findOut(Claim claim) {
        EntryId id = claim.ask().id();
        Patience patience = Patience.of(clocks, FIND_OUT);
        while (!patience.isSpent()) {
            try {
                if (!ledger.confirm(id, claim.attempt(), State.CLAIMED)) {
                    return Optional.empty();
                }
                Found found = ledger.find(id);
                return Optional.ofNullable(found).map(Found::entry)
                        .filter(entry -> entry.attempt() == claim.attempt() && entry.state() == State.CLAIMED);
            } catch (LedgerUnavailable again) {
                if (!pause()) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private boolean pause() {
        try {
            clocks.sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

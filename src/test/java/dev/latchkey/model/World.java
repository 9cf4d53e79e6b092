package dev.latchkey.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Everything at one moment: the ledger's row, the calls, what is on its way to the downstream and what that did, memories,
/// evidence in people's hands, and what callers were told. Mutable; a step works on a copy.
final class World {

    /// What became of a call's request.
    enum Message {
        NONE, FLIGHT, OK, REJECTED, TOO_MANY, FAILED, COPY, LOST
    }

    static final int CORRECTIONS = 3;

    @Nullable
    Row row;
    boolean acknowledged = true;
    /// What a failover brings back.
    @Nullable
    Row before;
    final Caller[] callers;
    final Message[] messages;
    int effects;
    /// What each request was told for good; negative: nothing yet.
    final int[] told = {-1, -1};
    /// Grows where what was told for good may change: a correction, an expiry.
    int era;
    /// The highest correction number that was sent.
    int highest;
    /// What each replica keeps in memory; negative: nothing.
    final int[] cache = {-1, -1};
    /// The attempt that equal calls attach to, on each replica; negative: none.
    final int[] attached = {-1, -1};
    /// By correction number, whether the downstream remembers an effect.
    final boolean[] remembers = new boolean[CORRECTIONS];
    @Nullable
    Evidence lookup;
    @Nullable
    Evidence operator;
    /// The settler has itself seen the attempt in doubt for the delay.
    boolean watched;
    boolean sweepPicked;
    boolean purgePicked;
    int crashes;
    int lostAcks;
    int lookups;
    int verdicts;
    int erasures;
    int purges;
    int failovers;
    int jumps;

    /// What somebody saw at the downstream, and has not said yet.
    ///
    /// @param attempt in doubt when the look began
    /// @param happened what was seen
    /// @param early the look began before the settle delay was over
    record Evidence(int attempt, boolean happened, boolean early) {}

    World(Scenario scenario) {
        this(scenario.size());
        for (int i = 0; i < scenario.size(); i++) {
            callers[i] = new Caller();
            messages[i] = Message.NONE;
        }
        crashes = scenario.crashes;
        lostAcks = scenario.lostAcks;
        lookups = scenario.lookups;
        verdicts = scenario.verdicts;
        erasures = scenario.erasures;
        purges = scenario.purges;
        failovers = scenario.failovers;
        jumps = scenario.jumps;
    }

    private World(int size) {
        callers = new Caller[size];
        messages = new Message[size];
    }

    World copy() {
        World next = new World(callers.length);
        for (int i = 0; i < callers.length; i++) {
            next.callers[i] = callers[i].copy();
            next.messages[i] = messages[i];
        }
        next.row = row;
        next.acknowledged = acknowledged;
        next.before = before;
        next.effects = effects;
        next.era = era;
        next.highest = highest;
        for (int i = 0; i < 2; i++) {
            next.told[i] = told[i];
            next.cache[i] = cache[i];
            next.attached[i] = attached[i];
        }
        System.arraycopy(remembers, 0, next.remembers, 0, CORRECTIONS);
        next.lookup = lookup;
        next.operator = operator;
        next.watched = watched;
        next.sweepPicked = sweepPicked;
        next.purgePicked = purgePicked;
        next.crashes = crashes;
        next.lostAcks = lostAcks;
        next.lookups = lookups;
        next.verdicts = verdicts;
        next.erasures = erasures;
        next.purges = purges;
        next.failovers = failovers;
        next.jumps = jumps;
        return next;
    }

    /// What was told for good may change from here on.
    void newEra() {
        era++;
        told[0] = -1;
        told[1] = -1;
    }

    boolean flights() {
        return Arrays.asList(messages).contains(Message.FLIGHT);
    }

    boolean checked() {
        return Arrays.stream(callers).anyMatch(caller -> caller.at == Caller.At.CHECKED);
    }

    /// Names this moment among all others: 64 bits, so that two of a hundred million share one by a chance of a few in ten
    /// thousand.
    // Numbers for hashing, nothing that is kept.
    @SuppressWarnings("EnumOrdinal")
    long key() {
        long key = mix(17, row == null ? 0 : 1 + code(row));
        key = mix(key, before == null ? 0 : 1 + code(before));
        for (int i = 0; i < callers.length; i++) {
            key = mix(key, callers[i].key());
            key = mix(key, messages[i].ordinal());
        }
        key = mix(key, (long) told[0] << 32 | (told[1] & 0xFFFF_FFFFL));
        key = mix(key, (long) cache[0] << 32 | (cache[1] & 0xFFFF_FFFFL));
        key = mix(key, bits());
        key = mix(key, evidence(lookup) * 4096L + evidence(operator));
        return key;
    }

    @SuppressWarnings("EnumOrdinal")
    private static long code(Row row) {
        long bits = row.state().ordinal();
        bits = bits * 128 + row.attempt();
        bits = bits * 4 + row.correction();
        bits = bits * 3 + row.age().ordinal();
        bits = bits * 3 + row.window().ordinal();
        bits = bits * 1024 + row.status();
        bits = bits * 128 + row.response() + 1;
        bits = bits * 2 + row.body();
        bits = bits * 2 + (row.again() ? 1 : 0);
        bits = bits * 2 + (row.doubted() ? 1 : 0);
        bits = bits * 2 + (row.expired() ? 1 : 0);
        bits = bits * 2 + (row.rejection() ? 1 : 0);
        bits = bits * 2 + (row.settledByOthers() ? 1 : 0);
        return bits * 2 + (row.erased() ? 1 : 0);
    }

    private long bits() {
        long bits = effects * 4L + highest;
        bits = bits * 8 + era;
        bits = bits * 8 + attached[0] + 1;
        bits = bits * 8 + attached[1] + 1;
        for (boolean each : remembers) {
            bits = bits * 2 + (each ? 1 : 0);
        }
        for (boolean each : new boolean[] {acknowledged, watched, sweepPicked, purgePicked}) {
            bits = bits * 2 + (each ? 1 : 0);
        }
        for (int each : new int[] {crashes, lostAcks, lookups, verdicts, erasures, purges, failovers, jumps}) {
            bits = bits * 4 + each;
        }
        return bits;
    }

    private static int evidence(@Nullable Evidence it) {
        return it == null ? 0 : 1 + it.attempt() * 4 + (it.happened() ? 2 : 0) + (it.early() ? 1 : 0);
    }

    private static long mix(long key, long value) {
        long next = (key ^ value) * 0x9E37_79B9_7F4A_7C15L;
        next ^= next >>> 29;
        next *= 0xBF58_476D_1CE4_E5B9L;
        return next ^ (next >>> 32);
    }
}

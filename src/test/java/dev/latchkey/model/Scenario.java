package dev.latchkey.model;

import java.util.List;

/// The bounds of one exploration: who calls, what the downstream is like, and how often what may go wrong. Immutable once it
/// is made by its methods, each of which gives another scenario.
public final class Scenario implements Cloneable {

    final String calls;
    /// Which of the two requests each call makes.
    final List<Integer> bodies;
    /// Which of the two replicas each call goes to.
    final List<Integer> replicas;
    /// The downstream recognises copies by the key that it is sent.
    boolean deduplicates;
    /// It answers some copies with 409.
    boolean answersCopies;
    /// The route lists 409 as recorded.
    boolean recordsCopies;
    boolean corrections;
    boolean rejectionsExpire;
    boolean allExpires;
    boolean caches;
    int crashes;
    /// Commits that go unacknowledged; then a call may be told 503 while nobody knows whether its claim holds.
    int lostAcks;
    int lookups;
    int verdicts;
    int erasures;
    int purges;
    int failovers;
    /// The ledger's clock jumps ahead.
    int jumps;
    /// A stalled process may send, and a request act, later than the settle delay allows for.
    boolean unbounded;

    private Scenario(String calls) {
        this.calls = calls;
        List<String> each = List.of(calls.split(" "));
        this.bodies = each.stream().map(call -> call.charAt(0) - 'a').toList();
        this.replicas = each.stream().map(call -> call.charAt(1) - '1').toList();
    }

    /// Calls with these requests, `a` or `b`, each followed by its replica, `1` or `2`: such as `a1 a2 b2`.
    static Scenario of(String calls) {
        return new Scenario(calls);
    }

    Scenario deduplicating() {
        Scenario next = copy();
        next.deduplicates = true;
        return next;
    }

    Scenario answeringCopies() {
        Scenario next = deduplicating();
        next.answersCopies = true;
        return next;
    }

    Scenario recordingCopies() {
        Scenario next = answeringCopies();
        next.recordsCopies = true;
        return next;
    }

    Scenario correcting() {
        Scenario next = copy();
        next.corrections = true;
        return next;
    }

    Scenario expiringRejections(int purged) {
        Scenario next = copy();
        next.rejectionsExpire = true;
        next.purges = purged;
        return next;
    }

    Scenario expiring(int purged) {
        Scenario next = expiringRejections(purged);
        next.allExpires = true;
        return next;
    }

    Scenario caching() {
        Scenario next = copy();
        next.caches = true;
        return next;
    }

    Scenario crashing() {
        Scenario next = copy();
        next.crashes = 1;
        return next;
    }

    Scenario losing(int acknowledgements) {
        Scenario next = copy();
        next.lostAcks = acknowledgements;
        return next;
    }

    Scenario lookedUp() {
        Scenario next = copy();
        next.lookups = 1;
        return next;
    }

    Scenario judged() {
        Scenario next = copy();
        next.verdicts = 1;
        return next;
    }

    Scenario erased() {
        Scenario next = copy();
        next.erasures = 1;
        return next;
    }

    Scenario failingOver() {
        Scenario next = copy();
        next.failovers = 1;
        return next;
    }

    Scenario jumping() {
        Scenario next = copy();
        next.jumps = 1;
        return next;
    }

    Scenario stallingForEver() {
        Scenario next = copy();
        next.unbounded = true;
        return next;
    }

    /// Which of the two requests each call makes.
    public List<Integer> bodies() {
        return bodies;
    }

    /// Which of the two replicas each call goes to.
    public List<Integer> replicas() {
        return replicas;
    }

    /// Whether the downstream recognises copies.
    public boolean deduplicates() {
        return deduplicates;
    }

    /// Whether the route lists 409 as recorded.
    public boolean recordsCopies() {
        return recordsCopies;
    }

    int size() {
        return bodies.size();
    }

    /// In words, for people.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("calls ").append(calls);
        add(text, recordsCopies, "a downstream that answers copies 409, which is recorded");
        add(text, answersCopies && !recordsCopies, "a downstream that answers copies 409");
        add(text, deduplicates && !answersCopies, "a downstream that deduplicates");
        add(text, corrections, "corrections");
        add(text, allExpires, "all expires");
        add(text, rejectionsExpire && !allExpires, "rejections expire");
        add(text, caches, "memory");
        add(text, crashes > 0, "a crash");
        add(text, lostAcks > 0, lostAcks + " lost acknowledgement" + (lostAcks > 1 ? "s" : ""));
        add(text, lookups > 0, "a lookup");
        add(text, verdicts > 0, "a verdict");
        add(text, erasures > 0, "an erasure");
        add(text, purges > 0, "a purge");
        add(text, failovers > 0, "a failover");
        add(text, jumps > 0, "a clock that jumps");
        add(text, unbounded, "stalls without bound");
        return text.toString();
    }

    private static void add(StringBuilder text, boolean yes, String what) {
        if (yes) {
            text.append(", ").append(what);
        }
    }

    private Scenario copy() {
        try {
            return (Scenario) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}

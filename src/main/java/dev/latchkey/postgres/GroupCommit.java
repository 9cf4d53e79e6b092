package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.postgres.BatchStatement.Fence;
import dev.latchkey.postgres.BatchStatement.FirstClaim;
import dev.latchkey.postgres.BatchStatement.Told;
import dev.latchkey.postgres.Gathering.Outcome;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes the first claims and the records of many calls in one transaction; a batch of one takes the plain statement.
/// What goes wrong with one of them must not go wrong with the others: what the server refuses is found by halves, and a
/// batch that waits for somebody's lock leaves its lane, and is written one by one. Safe for any number of threads.
final class GroupCommit {

    private static final Log LOG = Log.of(GroupCommit.class);
    /// Of what one statement sends: both sides hold it in memory, more than once.
    private static final Gathering.Bounds BOUNDS = new Gathering.Bounds(512, 1024 * 1024);

    /// For so long the lane looks for what was refused: where the whole server is in trouble everything is.
    private static final Duration LONGEST_SEARCH = Duration.ofMillis(250);

    private final Database database;
    private final Lanes lanes;
    private final int least;
    private final Clocks clocks;
    private final Seals seals;
    private final BatchStatement statement;
    private final Gathering<Write, Optional<Found>> gathering;

    /// @param database connections of the lanes' own, set up by [BatchSql#SESSION]
    /// @param pool where what a lane cannot wait for is written
    /// @param replicated whether a claim needs a synchronous standby
    /// @param least a smaller batch goes by plain statements
    /// @param watch sees each batch
    GroupCommit(
            Database database, Database pool, Lanes lanes, Seals seals, boolean replicated, int least, BatchWatch watch,
            Clocks clocks) {
        this.database = database;
        this.lanes = lanes;
        this.least = least;
        this.clocks = clocks;
        this.seals = seals;
        this.statement = new BatchStatement(new Rows(seals), replicated);
        this.gathering = new Gathering<>(watched(watch), write -> write.plain().on(pool), lanes, BOUNDS, clocks);
    }

    private Gathering.Work<Write, Optional<Found>> watched(BatchWatch watch) {
        return batch -> {
            long start = clocks.nanos();
            try {
                return carryOut(batch, start + LONGEST_SEARCH.toNanos());
            } finally {
                watch.over(batch.size(), clocks.nanos() - start);
            }
        };
    }

    /// The plain statement: on a lane's connection, where it waits for nobody's lock for long, or on the pool's.
    @FunctionalInterface
    interface Plain {
        Optional<Found> on(Database connections);
    }

    private sealed interface Write {
        Plain plain();

        record First(FirstClaim first, Plain plain) implements Write {
            Fence fence() {
                return new Fence(first.claim().ask().id().uuid(), first.claim().attempt());
            }
        }

        record Response(Recording recording, Plain plain) implements Write {
            Fence fence() {
                return new Fence(recording.id().uuid(), recording.attempt());
            }
        }
    }

    /// Makes a first claim.
    ///
    /// @param plain the statement of its own
    /// @return the entry: won where its attempt is the claim's, else what lay there before; empty: lost, and not told to
    ///     whom
    Optional<Found> claim(Claim claim, Plain plain) {
        String target = seals.target(claim.ask().id(), claim.ask().target());
        return gathering.submit(
                new Write.First(new FirstClaim(claim, target), plain),
                claim.ask().key().text().length() + target.length());
    }

    /// Records a response.
    ///
    /// @param plain the statement of its own
    /// @return the entry where it was recorded
    Optional<Found> record(Recording recording, Plain plain) {
        return gathering.submit(new Write.Response(recording, plain), recording.weight());
    }

    /// How many wait for a lane.
    int queued() {
        return gathering.queued();
    }

    private List<Outcome<Optional<Found>>> carryOut(List<Write> batch, long until) {
        try {
            return batch.size() < least ? plainly(batch.getFirst()) : together(batch);
        } catch (DataRefused e) {
            return batch.size() == 1 ? alone(batch) : divided(batch, until);
        } catch (LedgerUnavailable e) {
            if (e.commitUnknown() || !Trouble.isRefusal(e)) {
                throw e;
            }
            if (Trouble.isContention(e)) {
                // Somebody's open transaction holds up one of them, and so the lane.
                return alone(batch);
            }
            if (batch.size() == 1) {
                throw e;
            }
            return divided(batch, until);
        } catch (RuntimeException e) {
            // After the commit, perhaps: each looks for its own, as where the acknowledgement is lost.
            LOG.failure(LogEvent.FAILED, e);
            throw new LedgerUnavailable("The ledger's answer to a batch was not understood", true, e);
        }
    }

    private List<Outcome<Optional<Found>>> plainly(Write write) {
        long start = clocks.nanos();
        Optional<Found> now = write.plain().on(database);
        lanes.committed(clocks.nanos() - start, 1);
        return List.of(new Outcome.Done<>(now));
    }

    private List<Outcome<Optional<Found>>> divided(List<Write> batch, long until) {
        if (clocks.nanos() - until >= 0) {
            return alone(batch);
        }
        List<Write> first = batch.subList(0, batch.size() / 2);
        List<Write> second = batch.subList(first.size(), batch.size());
        List<Outcome<Optional<Found>>> all = new ArrayList<>(part(first, until));
        LedgerUnavailable away = away(all);
        all.addAll(away == null ? part(second, until) : unsent(second, away));
        return all;
    }

    /// What the ledger failed by where it refused nothing; null: it answered.
    private static @Nullable LedgerUnavailable away(List<Outcome<Optional<Found>>> outcomes) {
        for (Outcome<Optional<Found>> outcome : outcomes) {
            if (outcome instanceof Outcome.Failed<Optional<Found>>(LedgerUnavailable e)
                    && (e.commitUnknown() || !Trouble.isRefusal(e))) {
                return e;
            }
        }
        return null;
    }

    /// Else who waits for the second half might wait for a second silence, as long as the first.
    private static List<Outcome<Optional<Found>>> unsent(List<Write> batch, LedgerUnavailable why) {
        return Outcome.forAll(batch, new Outcome.Failed<>(
                new LedgerUnavailable("The ledger did not answer the first half of a batch", false, why)));
    }

    /// Fails for itself: what the other half has written holds.
    private List<Outcome<Optional<Found>>> part(List<Write> batch, long until) {
        try {
            return carryOut(batch, until);
        } catch (RuntimeException e) {
            return Outcome.forAll(batch, new Outcome.Failed<>(e));
        }
    }

    private static List<Outcome<Optional<Found>>> alone(List<Write> batch) {
        return Outcome.forAll(batch, new Outcome.Alone<>());
    }

    private List<Outcome<Optional<Found>>> together(List<Write> batch) {
        List<FirstClaim> claims = new ArrayList<>();
        List<Recording> records = new ArrayList<>();
        // An attempt has one response; should two be on their way, only the first goes along.
        Set<Fence> recorded = new HashSet<>();
        Set<Write> left = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Write write : batch) {
            switch (write) {
                case Write.First first -> claims.add(first.first());
                case Write.Response response when recorded.add(response.fence()) -> records.add(response.recording());
                case Write.Response again -> left.add(again);
            }
        }
        long start = clocks.nanos();
        Told told = database.write("write a batch", handle -> statement.run(handle, claims, records));
        // Behind a pooler the commit is a statement of its own, and over only now.
        lanes.committed(clocks.nanos() - start - told.workedNanos(), batch.size());
        List<Outcome<Optional<Found>>> outcomes = new ArrayList<>();
        for (Write write : batch) {
            outcomes.add(left.contains(write) ? new Outcome.Alone<>() : new Outcome.Done<>(now(write, told)));
        }
        return outcomes;
    }

    /// Empty: its conditions did not hold when the batch looked.
    private static Optional<Found> now(Write write, Told told) {
        return switch (write) {
            case Write.First first -> told.won().contains(first.fence())
                    ? first.first().claim().applyTo(null, told.now()).map(entry -> new Found(entry, null, told.now()))
                    : Optional.ofNullable(told.before().get(first.fence().id()));
            case Write.Response response -> Optional.ofNullable(told.recorded().get(response.fence()))
                    .map(entry -> new Found(entry, kept(entry, response.recording()), told.now()));
        };
    }

    private static @Nullable RecordedResponse kept(Entry entry, Recording recording) {
        if (entry.erased()) {
            return null;
        }
        Duration kept = recording.retention().responseKept(entry.rejection());
        Instant from = entry.recordedAt();
        return new RecordedResponse(
                recording.headers(), recording.body(), kept == null || from == null ? null : from.plus(kept));
    }
}

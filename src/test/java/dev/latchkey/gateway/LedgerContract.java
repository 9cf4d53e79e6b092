package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.Ledger.Ended;
import dev.latchkey.gateway.Ledger.Page;
import dev.latchkey.gateway.Ledger.Query;
import dev.latchkey.gateway.Ledger.Settled;
import dev.latchkey.gateway.Ledger.Watched;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What every ledger does. Each claim and transition is tried from each stage of an entry's life, and must come to what the
/// protocol's `applyTo` says; the guards are named besides, one by one.
public abstract class LedgerContract {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration DELAY = Duration.ofMinutes(5);
    /// Longer than any machine stalls.
    private static final Duration SLACK = Duration.ofMinutes(4);

    private final LedgerCases cases = new LedgerCases();

    protected abstract Ledger ledger();

    /// Makes one entry older, with its response.
    protected abstract void age(EntryId id, Duration by);

    /// Brings a new entry to where something shall be tried.
    private enum Stage {
        NONE, CLAIMED, LEASE_OVER, RECORDED, RECORDED_FOR_A_WHILE, PAST_RETENTION, REJECTED, REJECTION_EXPIRED,
        IN_DOUBT,
        IN_DOUBT_WITH_RESPONSE, WINDOW_CLOSED, RE_FORWARDED, IN_DOUBT_AGAIN, SETTLED_BY_LISTED_STATUS, RELEASED,
        RELEASED_BY_VERDICT, RECORDED_BY_VERDICT
    }

    /// @param ask what the stage was claimed for
    /// @param attempt the entry's; 0 for none
    private record Scene(LedgerCases.Key ask, long attempt) {}

    private Scene at(Stage stage) {
        LedgerCases.Key key = cases.key();
        return switch (stage) {
            case NONE -> new Scene(key, 0);
            case CLAIMED -> new Scene(key, claimed(key));
            case LEASE_OVER -> aged(at(Stage.CLAIMED), Duration.ofMinutes(1));
            case RECORDED -> settled(at(Stage.CLAIMED), cases.record(201));
            case RECORDED_FOR_A_WHILE -> settled(at(Stage.CLAIMED), cases.record(201, LedgerCases.BRIEF));
            case PAST_RETENTION -> aged(at(Stage.RECORDED_FOR_A_WHILE), Duration.ofDays(41));
            case REJECTED -> settled(at(Stage.CLAIMED), cases.record(404));
            case REJECTION_EXPIRED -> aged(at(Stage.REJECTED), Duration.ofHours(2));
            case IN_DOUBT -> settled(at(Stage.CLAIMED), Transition.Doubt.of(Cause.TIMEOUT));
            case IN_DOUBT_WITH_RESPONSE -> settled(at(Stage.CLAIMED), cases.doubt(500));
            case WINDOW_CLOSED -> aged(at(Stage.IN_DOUBT), Duration.ofDays(2));
            case RE_FORWARDED -> reforwarded(at(Stage.IN_DOUBT));
            case IN_DOUBT_AGAIN -> settled(at(Stage.RE_FORWARDED), cases.doubt(409));
            case SETTLED_BY_LISTED_STATUS -> settled(at(Stage.RE_FORWARDED), cases.record(404));
            case RELEASED -> settled(at(Stage.CLAIMED), new Transition.Release(Cause.NOT_SENT));
            case RELEASED_BY_VERDICT -> settled(at(Stage.WINDOW_CLOSED), notExecuted(Duration.ZERO));
            case RECORDED_BY_VERDICT -> settled(at(Stage.IN_DOUBT), cases.executed(99));
        };
    }

    private long claimed(LedgerCases.Key key) {
        long attempt = cases.attempt();
        Claimed claimed = ledger().claim(new Claim(key.ask(), attempt, new Grounds.NoEntry()));
        assertThat(claimed).isInstanceOf(Claimed.Won.class);
        return attempt;
    }

    private Scene aged(Scene scene, Duration by) {
        age(scene.ask.id(), by);
        return scene;
    }

    private Scene settled(Scene scene, Transition transition) {
        Settled settled = ledger().settle(scene.ask.id(), scene.attempt, transition);
        assertThat(settled).isInstanceOf(Settled.Applied.class);
        return new Scene(scene.ask, ((Settled.Applied) settled).now().entry().attempt());
    }

    private Scene reforwarded(Scene scene) {
        long attempt = cases.attempt();
        Claimed claimed = ledger().claim(new Claim(scene.ask.ask(), attempt, new Grounds.Reforward(scene.attempt)));
        assertThat(claimed).isInstanceOf(Claimed.Won.class);
        return new Scene(scene.ask, attempt);
    }

    /// @param ago how long before now, by the ledger's clock, the downstream was looked at
    private Transition notExecuted(Duration ago) {
        Instant now = ledger().list(new Query(null, null, null, "none", null, 1, null)).now();
        return new Transition.NotExecuted(
                now.minus(ago), DELAY, LedgerCases.WINDOW, LedgerCases.TIMEOUT, "verdict", "looked at it");
    }

    private Found found(EntryId id) {
        return Objects.requireNonNull(ledger().find(id));
    }

    // Everything, from everywhere

    private static final List<String> TRANSITIONS = List.of(
            "record 201", "record 404", "record 500", "record without body", "release", "doubt", "doubt with response",
            "lease over", "executed", "executed without response", "not executed", "not executed, looked too early",
            "not executed, looked in the future", "result", "renew");

    private Transition transition(String name) {
        return switch (name) {
            case "record 201" -> cases.record(201);
            case "record 404" -> cases.record(404);
            case "record 500" -> cases.record(500);
            case "record without body" -> cases.recordWithoutBody();
            case "release" -> new Transition.Release(Cause.NOT_SENT);
            case "doubt" -> Transition.Doubt.of(Cause.CONNECTION_LOST);
            case "doubt with response" -> cases.doubt(503);
            case "lease over" -> new Transition.LeaseOver();
            case "result" -> cases.result();
            case "renew" -> new Transition.Renew(Duration.ofMinutes(2));
            case "executed" -> cases.executed(cases.attempt());
            case "executed without response" -> new Transition.Executed(
                    cases.attempt(), null, Headers.empty(), null, "verdict", "it is there", LedgerCases.BRIEF);
            case "not executed" -> notExecuted(Duration.ZERO);
            case "not executed, looked too early" -> notExecuted(Duration.ofDays(3));
            case "not executed, looked in the future" -> notExecuted(Duration.ofHours(-1));
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyTransitionComesToWhatTheProtocolSays(Stage stage) {
        Scene scene = at(stage);
        for (String name : TRANSITIONS) {
            Transition transition = transition(name);
            boolean lost = loses(name + " by another attempt", scene.ask.id(), cases.attempt(), transition);
            assertThat(lost).as(name + " by another attempt").isTrue();
            if (!loses(name, scene.ask.id(), scene.attempt, transition)) {
                scene = at(stage);
            }
        }
    }

    private boolean loses(String name, EntryId id, long attempt, Transition transition) {
        Found before = found(id);
        Settled settled = ledger().settle(id, attempt, transition);
        Found after = found(id);
        switch (settled) {
            case Settled.Applied applied -> {
                assertThat(transition.applyTo(before.entry(), attempt, applied.now().now())).as(name)
                        .contains(applied.now().entry());
                assertThat(after.entry()).as(name).isEqualTo(applied.now().entry());
                assertThat(applied.now().response()).as(name).isEqualTo(after.response());
            }
            case Settled.Lost lost -> {
                assertThat(transition.applyTo(before.entry(), attempt, before.now())).as(name).isEmpty();
                assertThat(after.entry()).as(name).isEqualTo(before.entry());
                assertThat(after.response()).as(name).isEqualTo(before.response());
                assertThat(lost.found()).as(name).extracting(Found::entry).isEqualTo(before.entry());
            }
        }
        return settled instanceof Settled.Lost;
    }

    @ParameterizedTest
    @EnumSource
    void everyClaimComesToWhatTheProtocolSays(Stage stage) {
        Scene scene = at(stage);
        for (LedgerCases.Change change : LedgerCases.Change.values()) {
            long wrong = cases.attempt();
            for (Grounds grounds : List.of(
                    new Grounds.NewGeneration(wrong), new Grounds.Reforward(wrong), new Grounds.NoEntry(),
                    new Grounds.NewGeneration(scene.attempt), new Grounds.Reforward(scene.attempt))) {
                if (wins(scene, change, grounds)) {
                    scene = at(stage);
                    break;
                }
            }
        }
    }

    private boolean wins(Scene scene, LedgerCases.Change change, Grounds grounds) {
        String name = change + " " + grounds;
        Claim claim = new Claim(scene.ask.ask(change), cases.attempt(), grounds);
        Found before = ledger().find(scene.ask.id());
        Entry entry = before == null ? null : before.entry();
        Claimed claimed = ledger().claim(claim);
        Found after = ledger().find(scene.ask.id());
        switch (claimed) {
            case Claimed.Won won -> {
                assertThat(claim.applyTo(entry, won.entry().claimedAt())).as(name).contains(won.entry());
                Found held = Objects.requireNonNull(after);
                assertThat(held.entry()).as(name).isEqualTo(won.entry());
                assertThat(held.response()).as(name).isNull();
            }
            case Claimed.Lost lost -> {
                Instant now = before == null ? Instant.EPOCH : before.now();
                assertThat(claim.applyTo(entry, now)).as(name).isEmpty();
                assertThat(after == null ? null : after.entry()).as(name).isEqualTo(entry);
                assertThat(lost.found() == null ? null : lost.found().entry()).as(name).isEqualTo(entry);
            }
        }
        return claimed instanceof Claimed.Won;
    }

    // Bytes and times

    @Test
    void responseComesBackByteForByte() {
        byte[] every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        Headers headers = Headers.of("Link", "<a>", "ETag", "\"\u00e9\u00ff\"", "Link", "<b>; c: d", "X-Empty", "");
        Scene scene = at(Stage.CLAIMED);

        settled(scene, new Transition.Record(200, headers, Body.of(every), false, Retention.usual()));

        RecordedResponse response = response(found(scene.ask.id()));
        assertThat(response.headers()).isEqualTo(headers);
        assertThat(response.body()).isEqualTo(Body.of(every));
    }

    @Test
    void emptyBodyIsABodyAndNoBodyIsNone() {
        Scene empty = settled(at(Stage.CLAIMED),
                new Transition.Record(204, Headers.empty(), Body.empty(), false, Retention.usual()));
        Scene none = settled(at(Stage.CLAIMED), cases.recordWithoutBody());

        assertThat(found(empty.ask.id())).satisfies(it -> assertThat(response(it).replayable(it.now())).isTrue());
        assertThat(found(none.ask.id())).satisfies(it -> assertThat(response(it).replayable(it.now())).isFalse());
    }

    private static RecordedResponse response(Found found) {
        return Objects.requireNonNull(found.response());
    }

    @Test
    void retentionIsFixedWhenRecorded() {
        Found kept = found(at(Stage.RECORDED).ask.id());
        Found rejected = found(at(Stage.REJECTED).ask.id());

        Instant recordedAt = Objects.requireNonNull(kept.entry().recordedAt());
        assertThat(kept.entry().expiresAt()).isNull();
        assertThat(response(kept).expiresAt()).isEqualTo(recordedAt.plus(Duration.ofDays(90)));
        Instant rejectedAt = Objects.requireNonNull(rejected.entry().recordedAt());
        assertThat(rejected.entry().expiresAt()).isEqualTo(rejectedAt.plus(Duration.ofHours(1)));
        assertThat(response(rejected).expiresAt()).isEqualTo(rejectedAt.plus(Duration.ofHours(1)));
    }

    @Test
    void retentionForEverIsForEver() {
        Scene scene = settled(at(Stage.CLAIMED), cases.record(201, new Retention(null, null, null)));

        Found found = found(scene.ask.id());
        assertThat(found.entry().expiresAt()).isNull();
        assertThat(response(found).expiresAt()).isNull();
    }

    @Test
    void settlingAnUnknownEntryLosesToNothing() {
        Settled settled = ledger().settle(cases.key().id(), 1, cases.record(201));

        assertThat(settled).isEqualTo(new Settled.Lost(null));
    }

    // Guards

    @Test
    void g1StaleAttemptChangesNothing() {
        Scene first = at(Stage.RELEASED);
        LedgerCases.Key key = first.ask;
        long second = cases.attempt();
        ledger().claim(new Claim(key.ask(), second, new Grounds.NewGeneration(first.attempt)));

        List<Transition> all = List.of(cases.record(201), new Transition.Release(Cause.NOT_SENT), cases.doubt(500));

        assertThat(all).allSatisfy(it -> assertThat(ledger().settle(key.id(), first.attempt, it))
                .isInstanceOf(Settled.Lost.class));
        assertThat(found(key.id()).entry().attempt()).isEqualTo(second);
    }

    @Test
    void g1RecordedEntryIsNotDoubtedReleasedOrRecordedAgain() {
        Scene scene = at(Stage.RECORDED);
        List<Transition> all = List.of(cases.record(202), new Transition.Release(Cause.NOT_SENT), cases.doubt(500));

        assertThat(all).allSatisfy(it -> assertThat(ledger().settle(scene.ask.id(), scene.attempt, it))
                .isInstanceOf(Settled.Lost.class));
    }

    @Test
    void g2ReforwardIsNeverReleased() {
        Scene scene = at(Stage.RE_FORWARDED);
        Instant since = found(scene.ask.id()).entry().inDoubtSince();

        Settled released = ledger().settle(scene.ask.id(), scene.attempt, new Transition.Release(Cause.NOT_SENT));
        Scene doubted = settled(scene, Transition.Doubt.of(Cause.NOT_SENT));

        assertThat(released).isInstanceOf(Settled.Lost.class);
        assertThat(found(doubted.ask.id()).entry().inDoubtSince()).isEqualTo(since);
    }

    @Test
    void g4NotExecutedNeedsALookAfterTheDelay() {
        Scene scene = aged(at(Stage.IN_DOUBT), Duration.ofDays(2));
        Duration sinceLeaseEnd =
                Duration.between(found(scene.ask.id()).entry().leaseUntil(), found(scene.ask.id()).now());

        Settled tooEarly = ledger().settle(
                scene.ask.id(), scene.attempt, notExecuted(sinceLeaseEnd.minus(DELAY).plus(SLACK)));
        Settled lateEnough = ledger().settle(
                scene.ask.id(), scene.attempt, notExecuted(sinceLeaseEnd.minus(DELAY).minus(SLACK)));

        assertThat(tooEarly).isInstanceOf(Settled.Lost.class);
        assertThat(lateEnough).isInstanceOf(Settled.Applied.class);
    }

    @Test
    void g4NotExecutedIsNotConcludedWhileTheWindowIsOpen() {
        Scene scene = aged(at(Stage.IN_DOUBT), Duration.ofHours(2));

        assertThat(ledger().settle(scene.ask.id(), scene.attempt, notExecuted(Duration.ZERO)))
                .isInstanceOf(Settled.Lost.class);
    }

    @Test
    void g5ExecutedFencesTheLateRecord() {
        Scene scene = at(Stage.IN_DOUBT);
        settled(scene, cases.executed(cases.attempt()));

        assertThat(ledger().settle(scene.ask.id(), scene.attempt, cases.record(201))).isInstanceOf(Settled.Lost.class);
        assertThat(found(scene.ask.id()).entry().settledBy()).isEqualTo("verdict");
    }

    @Test
    void g5VerdictAboutOneAttemptDoesNotTouchALaterOne() {
        Scene judged = at(Stage.IN_DOUBT);
        Scene later = settled(reforwarded(judged), Transition.Doubt.of(Cause.TIMEOUT));
        age(later.ask.id(), Duration.ofDays(2));

        assertThat(ledger().settle(judged.ask.id(), judged.attempt, notExecuted(Duration.ZERO)))
                .isInstanceOf(Settled.Lost.class);
        assertThat(ledger().settle(judged.ask.id(), judged.attempt, cases.executed(1)))
                .isInstanceOf(Settled.Lost.class);
    }

    @Test
    void g7ConfirmMeansMyAttemptInThisState() {
        Scene scene = at(Stage.CLAIMED);
        EntryId id = scene.ask.id();

        assertThat(ledger().confirm(id, scene.attempt, State.CLAIMED)).isTrue();
        assertThat(ledger().confirm(id, cases.attempt(), State.CLAIMED)).isFalse();
        assertThat(ledger().confirm(id, scene.attempt, State.RECORDED)).isFalse();
        assertThat(ledger().confirm(cases.key().id(), scene.attempt, State.CLAIMED)).isFalse();
        settled(scene, Transition.Doubt.of(Cause.TIMEOUT));
        assertThat(ledger().confirm(id, scene.attempt, State.CLAIMED)).isFalse();
    }

    @Test
    void g9FirstAttemptReleasesItsOwnSweptDoubt() {
        Scene scene = at(Stage.LEASE_OVER);
        ledger().sweep(1000);

        settled(scene, new Transition.Release(Cause.ABANDONED));

        assertThat(found(scene.ask.id()).entry().state()).isEqualTo(State.RELEASED);
    }

    @Test
    void g13ReforwardOnlyInsideTheWindow() {
        Scene scene = aged(at(Stage.IN_DOUBT), LedgerCases.WINDOW.minus(LedgerCases.TIMEOUT).plus(SLACK));

        Claimed late = ledger().claim(
                new Claim(scene.ask.ask(), cases.attempt(), new Grounds.Reforward(scene.attempt)));
        age(scene.ask.id(), SLACK.multipliedBy(2).negated());
        Claimed inTime = ledger().claim(
                new Claim(scene.ask.ask(), cases.attempt(), new Grounds.Reforward(scene.attempt)));

        assertThat(late).isInstanceOf(Claimed.Lost.class);
        assertThat(inTime).isInstanceOf(Claimed.Won.class);
    }

    @Test
    void g18SuccessTakesBackAFreedKey() {
        Scene scene = at(Stage.RELEASED_BY_VERDICT);

        settled(scene, cases.record(201));

        assertThat(found(scene.ask.id()).entry().state()).isEqualTo(State.RECORDED);
    }

    @Test
    void g18RejectionDoesNotTakeBackAFreedKey() {
        Scene scene = at(Stage.RELEASED);

        assertThat(ledger().settle(scene.ask.id(), scene.attempt, cases.record(404))).isInstanceOf(Settled.Lost.class);
    }

    @Test
    void g18PurgedEntryIsPutBackWithItsResponse() {
        Scene scene = at(Stage.RELEASED);
        Entry claimed = found(scene.ask.id()).entry();
        age(scene.ask.id(), Duration.ofDays(3));
        ledger().purge(1000, DAY);
        assertThat(ledger().find(scene.ask.id())).isNull();

        boolean back = ledger().putBack(claimed, cases.record(201));

        Found found = found(scene.ask.id());
        assertThat(back).isTrue();
        assertThat(found.entry().state()).isEqualTo(State.RECORDED);
        assertThat(found.entry().attempt()).isEqualTo(scene.attempt);
        assertThat(found.entry().status()).isEqualTo(201);
        assertThat(response(found).body()).isEqualTo(cases.record(201).body());
    }

    @Test
    void g18NothingIsPutBackOverAnotherEntry() {
        Scene scene = at(Stage.CLAIMED);
        Entry other = found(scene.ask.id()).entry();

        assertThat(ledger().putBack(other, cases.record(201))).isFalse();
        assertThat(found(scene.ask.id()).entry()).isEqualTo(other);
        assertThat(ledger().find(scene.ask.id())).extracting(Found::response).isNull();
    }

    @Test
    void g18RejectionIsNotPutBack() {
        Scene scene = at(Stage.RELEASED);
        Entry claimed = found(scene.ask.id()).entry();
        age(scene.ask.id(), Duration.ofDays(3));
        ledger().purge(1000, DAY);

        assertThat(ledger().putBack(claimed, cases.record(404))).isFalse();
        assertThat(ledger().find(scene.ask.id())).isNull();
    }

    @Test
    void g18LateResponseIsNoted() {
        Scene scene = at(Stage.RECORDED_BY_VERDICT);
        EntryId unknown = cases.key().id();

        ledger().noteLateResponse(scene.ask.id(), 5, cases.record(201));
        ledger().noteLateResponse(unknown, 6, cases.record(202));

        assertThat(ledger().history(scene.ask.id()).getLast()).satisfies(event -> {
            assertThat(event.kind()).isEqualTo("late-response");
            assertThat(event.attempt()).isEqualTo(5);
            assertThat(event.status()).isEqualTo(201);
        });
        assertThat(ledger().history(unknown)).hasSize(1);
    }

    @Test
    void g19CorrectionGrowsOnlyByRecordedRejections() {
        Scene scene = at(Stage.REJECTED);
        long second = claimAnew(scene, LedgerCases.Change.BODY);
        assertThat(found(scene.ask.id()).entry().correction()).isEqualTo(1);
        ledger().settle(scene.ask.id(), second, new Transition.Release(Cause.NOT_SENT));

        long third = claimAnew(new Scene(scene.ask, second), LedgerCases.Change.NONE);
        assertThat(found(scene.ask.id()).entry().correction()).isEqualTo(1);

        ledger().settle(scene.ask.id(), third, cases.record(422));
        age(scene.ask.id(), Duration.ofHours(2));
        claimAnew(new Scene(scene.ask, third), LedgerCases.Change.NONE);
        assertThat(found(scene.ask.id()).entry().correction()).isEqualTo(2);
    }

    private long claimAnew(Scene scene, LedgerCases.Change change) {
        long attempt = cases.attempt();
        Claimed claimed =
                ledger().claim(new Claim(scene.ask.ask(change), attempt, new Grounds.NewGeneration(scene.attempt)));
        assertThat(claimed).isInstanceOf(Claimed.Won.class);
        return attempt;
    }

    @Test
    void g20DoubtOnceIsNoRejectionLater() {
        Scene scene = at(Stage.IN_DOUBT);
        settled(scene, cases.record(404));

        Found found = found(scene.ask.id());
        assertThat(found.entry().rejection()).isFalse();
        assertThat(found.entry().inDoubtSince()).isNotNull();
        assertThat(found.entry().expiresAt()).isNull();
        assertThat(ledger().claim(new Claim(
                scene.ask.ask(LedgerCases.Change.BODY), cases.attempt(), new Grounds.NewGeneration(scene.attempt))))
                .isInstanceOf(Claimed.Lost.class);
    }

    @Test
    void g21OldResponseGoesWithItsGeneration() {
        Scene scene = at(Stage.REJECTED);

        claimAnew(scene, LedgerCases.Change.BODY);

        assertThat(found(scene.ask.id()).response()).isNull();
    }

    @Test
    void g21LoserKeepsItsHandsOffTheResponse() {
        Scene scene = at(Stage.REJECTED);

        ledger().claim(new Claim(
                scene.ask.ask(LedgerCases.Change.ROUTE), cases.attempt(), new Grounds.NewGeneration(scene.attempt)));

        assertThat(found(scene.ask.id()).response()).isNotNull();
    }

    // Upkeep

    @Test
    void sweepDoubtsWhatIsPastItsLeaseAndNothingElse() {
        Scene due = at(Stage.LEASE_OVER);
        Scene running = at(Stage.CLAIMED);

        int swept = ledger().sweep(1000);

        assertThat(swept).isPositive();
        Entry entry = found(due.ask.id()).entry();
        assertThat(entry.state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry.cause()).isEqualTo(Cause.LEASE_OVER);
        assertThat(entry.inDoubtSince()).isNotNull();
        assertThat(found(running.ask.id()).entry().state()).isEqualTo(State.CLAIMED);
        assertThat(ledger().history(due.ask.id())).extracting(Ledger.Event::kind).containsExactly("in-doubt");
    }

    @Test
    void sweepTakesABoundedNumber() {
        for (int i = 0; i < 3; i++) {
            at(Stage.LEASE_OVER);
        }

        assertThat(ledger().sweep(2)).isEqualTo(2);
        assertThat(ledger().sweep(1)).isEqualTo(1);
    }

    @Test
    void purgeDeletesWhatIsPastItsRetention() {
        EntryId old = at(Stage.PAST_RETENTION).ask.id();

        assertThat(ledger().purge(1000, DAY).rows()).isPositive();

        assertThat(ledger().find(old)).isNull();
    }

    @Test
    void purgeDeletesResponsesBeforeTheirEntries() {
        // Due at the moment in which it was recorded: later than all that another test had purged, for a purge goes on from there.
        Scene scene = aged(at(Stage.RECORDED), Duration.ofDays(90));

        ledger().purge(1000, DAY);

        assertThat(found(scene.ask.id()).response()).isNull();
        assertThat(found(scene.ask.id()).entry().state()).isEqualTo(State.RECORDED);
    }

    @Test
    void purgeKeepsReleasedEntriesAndExpiredRejectionsForAWhile() {
        EntryId rejected = at(Stage.REJECTION_EXPIRED).ask.id();
        EntryId released = aged(at(Stage.RELEASED), Duration.ofHours(2)).ask.id();

        ledger().purge(1000, DAY);
        assertThat(ledger().find(rejected)).isNotNull();
        assertThat(ledger().find(released)).isNotNull();

        age(rejected, DAY);
        age(released, DAY);
        ledger().purge(1000, DAY);
        assertThat(ledger().find(rejected)).isNull();
        assertThat(ledger().find(released)).isNull();
    }

    @Test
    void purgeNeverTouchesClaimsAndDoubts() {
        List<EntryId> kept = new ArrayList<>();
        for (Stage stage : List.of(
                Stage.CLAIMED, Stage.LEASE_OVER, Stage.IN_DOUBT, Stage.RE_FORWARDED, Stage.IN_DOUBT_AGAIN)) {
            kept.add(aged(at(stage), Duration.ofDays(10_000)).ask.id());
        }

        ledger().purge(1000, Duration.ZERO);

        assertThat(kept).allSatisfy(id -> assertThat(ledger().find(id)).isNotNull());
    }

    @Test
    void historyOutlivesItsEntry() {
        Scene scene = aged(at(Stage.RELEASED_BY_VERDICT), Duration.ofDays(10));

        ledger().purge(1000, DAY);

        assertThat(ledger().find(scene.ask.id())).isNull();
        assertThat(ledger().history(scene.ask.id())).extracting(Ledger.Event::kind).containsExactly("in-doubt",
                "settled");
    }

    @Test
    void historyTellsWhatHappenedInOrder() {
        Scene scene = settled(at(Stage.RE_FORWARDED), cases.record(201));

        assertThat(ledger().history(scene.ask.id())).extracting(Ledger.Event::kind)
                .containsExactly("in-doubt", "re-forward", "settled");
        assertThat(ledger().history(scene.ask.id()).getFirst().cause()).isEqualTo("timeout");
    }

    @Test
    void smoothCallLeavesNoHistory() {
        assertThat(ledger().history(at(Stage.RECORDED).ask.id())).isEmpty();
        assertThat(ledger().history(at(Stage.RELEASED).ask.id())).isEmpty();
    }

    @Test
    void correctionIsInTheHistory() {
        Scene scene = at(Stage.REJECTED);
        long second = claimAnew(scene, LedgerCases.Change.BODY);

        assertThat(ledger().history(scene.ask.id())).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo("correction");
            assertThat(event.attempt()).isEqualTo(second);
            assertThat(event.status()).isEqualTo(404);
        });
    }

    @Test
    void doubtsAreCountedWithTheAgeOfTheOldest() {
        long before = ledger().doubts().count();
        aged(at(Stage.IN_DOUBT), Duration.ofDays(20_000));

        assertThat(ledger().doubts().count()).isEqualTo(before + 1);
        Duration oldest = ledger().doubts().oldest();
        assertThat(oldest).isNotNull();
        assertThat(oldest).isGreaterThanOrEqualTo(Duration.ofDays(20_000));
    }

    @Test
    void entriesAreCountedByState() {
        Ledger.Counts before = ledger().counts();
        at(Stage.CLAIMED);
        at(Stage.RECORDED);
        at(Stage.REJECTED);
        at(Stage.RELEASED);
        at(Stage.IN_DOUBT);

        Ledger.Counts now = ledger().counts();
        assertThat(now.claimed()).isEqualTo(before.claimed() + 1);
        assertThat(now.recorded()).isEqualTo(before.recorded() + 2);
        assertThat(now.released()).isEqualTo(before.released() + 1);
    }

    @Test
    void doubtsAreCountedInGroups() {
        at(Stage.IN_DOUBT);
        Scene newest = at(Stage.IN_DOUBT);
        Scene other = at(Stage.IN_DOUBT_WITH_RESPONSE);
        at(Stage.RECORDED);
        String client = cases.client();

        Ledger.DoubtGroups doubts = ledger().doubtGroups();

        List<Ledger.DoubtGroup> own = doubts.groups().stream().filter(g -> g.client().equals(client)).toList();
        assertThat(own).extracting(Ledger.DoubtGroup::cause, Ledger.DoubtGroup::route, Ledger.DoubtGroup::count)
                .containsExactly(tuple("timeout", "payments", 2L), tuple("status-500", "payments", 1L));
        assertThat(own.getFirst().newest()).isEqualTo(found(newest.ask.id()).entry().inDoubtSince());
        assertThat(own.getLast().oldest()).isEqualTo(found(other.ask.id()).entry().inDoubtSince());
        assertThat(doubts.now()).isBeforeOrEqualTo(found(other.ask.id()).now());
    }

    // Erasure

    @Test
    void g15ErasureLeavesTheEntryAndNothingOfItsOwners() {
        Scene scene = at(Stage.RECORDED);
        Entry before = found(scene.ask.id()).entry();

        Settled settled = ledger().erase(scene.ask.id(), "asked to", "olga");

        Found after = found(scene.ask.id());
        assertThat(settled).isInstanceOfSatisfying(
                Settled.Applied.class, applied -> assertThat(applied.now().entry()).isEqualTo(after.entry()));
        assertThat(after.entry()).isEqualTo(before.blanked());
        assertThat(after.response()).isNull();
        assertThat(ledger().history(scene.ask.id())).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo("erased");
            assertThat(event.by()).isEqualTo("olga");
            assertThat(event.cause()).isEqualTo("asked to");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "CLAIMED", "LEASE_OVER", "IN_DOUBT", "RE_FORWARDED"})
    void whatIsOpenIsNotErased(Stage stage) {
        Scene scene = at(stage);
        Found before = ledger().find(scene.ask.id());

        Settled settled = ledger().erase(scene.ask.id(), "asked to", "olga");

        assertThat(settled).isInstanceOf(Settled.Lost.class);
        Found after = ledger().find(scene.ask.id());
        assertThat(after == null ? null : after.entry()).isEqualTo(before == null ? null : before.entry());
        assertThat(ledger().history(scene.ask.id())).extracting(Ledger.Event::kind).doesNotContain("erased");
    }

    @Test
    void erasureTakesWhatOperatorsWroteAndLeavesWhoAndWhen() {
        Scene scene = at(Stage.RECORDED_BY_VERDICT);
        Ledger.Event said = ledger().history(scene.ask.id()).getLast();
        assertThat(said.cause()).isEqualTo("it is there");

        ledger().erase(scene.ask.id(), "asked to", "olga");

        List<Ledger.Event> history = ledger().history(scene.ask.id());
        assertThat(history).extracting(Ledger.Event::kind).containsExactly("in-doubt", "settled", "erased");
        assertThat(history.get(0).cause()).isEqualTo("timeout");
        assertThat(history.get(1)).isEqualTo(
                new Ledger.Event(said.at(), said.kind(), said.attempt(), null, said.by(), said.status()));
    }

    @Test
    void anErasedReleasedEntryStaysReleasedAndItsKeyFree() {
        Scene scene = at(Stage.RELEASED);

        ledger().erase(scene.ask.id(), "asked to", "olga");

        assertThat(found(scene.ask.id()).entry().state()).isEqualTo(State.RELEASED);
        claimAnew(scene, LedgerCases.Change.NONE);
        assertThat(found(scene.ask.id()).entry().erased()).isFalse();
        assertThat(found(scene.ask.id()).entry().target()).isEqualTo("/payments");
    }

    @Test
    void whatWasErasedIsNotPutBack() {
        Scene scene = at(Stage.RELEASED);
        Entry claimed = found(at(Stage.CLAIMED).ask.id()).entry();
        ledger().erase(scene.ask.id(), "asked to", "olga");
        aged(scene, Duration.ofDays(10));
        ledger().purge(1000, DAY);
        assertThat(ledger().find(scene.ask.id())).isNull();

        assertThat(ledger().putBack(named(claimed, scene.ask.id()), cases.record(201))).isFalse();
    }

    private static Entry named(Entry e, EntryId id) {
        return new Entry(
                id, e.client(), e.key(), e.route(), e.method(), e.target(), e.fingerprint(), e.correction(), e.sentAs(),
                e.state(), e.attempt(), e.attempts(), e.claimedAt(), e.firstForwardAt(), e.leaseUntil(),
                e.inDoubtSince(),
                e.cause(), e.recordedAt(), e.expiresAt(), e.status(), e.rejection(), e.settledBy(), e.erased(),
                e.releasedOnExpiry());
    }

    // Claims that callers hold

    /// A claim that its caller holds.
    private Scene held(boolean releasedOnExpiry) {
        LedgerCases.Key key = cases.key();
        long attempt = cases.attempt();
        Claimed claimed = ledger().claim(new Claim(key.held(releasedOnExpiry), attempt, new Grounds.NoEntry()));
        assertThat(claimed).isInstanceOf(Claimed.Won.class);
        return new Scene(key, attempt);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void heldClaimEndsAsItsHolderAskedFor(boolean swept) {
        Scene doubtful = aged(held(false), Duration.ofDays(1));
        Scene released = aged(held(true), Duration.ofDays(1));
        if (swept) {
            ledger().sweep(1000);
        } else {
            settled(doubtful, new Transition.LeaseOver());
            settled(released, new Transition.LeaseOver());
        }
        assertThat(found(doubtful.ask.id()).entry().state()).isEqualTo(State.IN_DOUBT);
        Entry free = found(released.ask.id()).entry();
        assertThat(free.state()).isEqualTo(State.RELEASED);
        assertThat(free.inDoubtSince()).isNull();
        assertThat(ledger().history(released.ask.id())).isEmpty();
        assertThat(ledger().history(doubtful.ask.id())).extracting(Ledger.Event::kind).containsExactly("in-doubt");
    }

    @Test
    void nextGenerationOfAHeldClaimEndsAsItsOwnHolderAskedFor() {
        Scene first = settled(held(true), new Transition.Release(Cause.GIVEN_UP));
        long attempt = cases.attempt();
        Claimed next = ledger().claim(
                new Claim(first.ask.held(false), attempt, new Grounds.NewGeneration(first.attempt)));
        assertThat(next).isInstanceOf(Claimed.Won.class);
        Scene again = aged(new Scene(first.ask, attempt), Duration.ofDays(1));
        settled(again, new Transition.LeaseOver());
        assertThat(found(first.ask.id()).entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void renewedClaimHoldsFromNowOn() {
        Scene scene = aged(held(false), Duration.ofSeconds(20));
        Instant before = found(scene.ask.id()).entry().leaseUntil();
        settled(scene, new Transition.Renew(Duration.ofMinutes(2)));
        Found now = found(scene.ask.id());
        assertThat(now.entry().leaseUntil()).isAfter(before).isBeforeOrEqualTo(now.now().plusSeconds(120));
        settled(scene, new Transition.Renew(Duration.ofSeconds(90)));
        assertThat(found(scene.ask.id()).entry().leaseUntil()).isBefore(now.entry().leaseUntil());
    }

    @Test
    void claimWhoseLeaseIsOverIsNotRenewedThoughNobodySweptIt() {
        Scene scene = aged(held(false), Duration.ofDays(1));
        assertThat(ledger().settle(scene.ask.id(), scene.attempt, new Transition.Renew(Duration.ofMinutes(2))))
                .isInstanceOf(Settled.Lost.class);
        assertThat(found(scene.ask.id()).entry().leaseOver(found(scene.ask.id()).now())).isTrue();
    }

    @Test
    void resultIsKeptAndTakesBackNothingThatWasReleased() {
        Scene scene = settled(held(false), cases.result());
        Found found = found(scene.ask.id());
        assertThat(found.entry().status()).isEqualTo(200);
        assertThat(Objects.requireNonNull(found.response()).body()).isEqualTo(cases.result().body());

        Scene given = settled(held(false), new Transition.Release(Cause.GIVEN_UP));
        assertThat(ledger().settle(given.ask.id(), given.attempt, cases.result())).isInstanceOf(Settled.Lost.class);
        assertThat(found(given.ask.id()).response()).isNull();
    }

    // Lists

    @Test
    void lookBringsWhatIsOverAndNothingOfWhatGoesOn() {
        Scene claimed = at(Stage.CLAIMED);
        Scene over = at(Stage.LEASE_OVER);
        Scene recorded = at(Stage.RECORDED);
        Scene reforwarded = at(Stage.RE_FORWARDED);
        Watched gone = new Watched(cases.key().id(), cases.attempt());
        Watched before = new Watched(reforwarded.ask.id(), cases.attempt());

        List<Ended> seen = ledger().look(
                List.of(watched(claimed), watched(over), watched(recorded), watched(reforwarded), before, gone),
                1_000_000);

        assertThat(seen).extracting(Ended::watched)
                .containsExactlyInAnyOrder(watched(over), watched(recorded), before, gone);
        assertThat(seen).allSatisfy(ended -> {
            Found now = ledger().find(ended.watched().id());
            Found then = ended.found();
            assertThat(then == null ? null : then.entry()).isEqualTo(now == null ? null : now.entry());
            assertThat(then == null ? null : then.response()).isEqualTo(now == null ? null : now.response());
            assertThat(then == null || now == null || !then.now().isAfter(now.now())).isTrue();
        });
        assertThat(ledger().look(List.of(), 1_000_000)).isEmpty();
    }

    @Test
    void lookLeavesForTheNextWhatIsTooMuchAtOnce() {
        List<Watched> left = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Scene scene = at(Stage.CLAIMED);
            settled(scene, new Transition.Record(
                    201, Headers.empty(), Body.ofUtf8("x".repeat(100_000)), false, Retention.usual()));
            left.add(watched(scene));
        }

        assertThat(ledger().look(left, 250_000)).hasSize(3);
        for (int looks = 4; looks > 0; looks--) {
            List<Ended> seen = ledger().look(left, 1);
            assertThat(seen).hasSize(1);
            left.remove(seen.getFirst().watched());
        }
        assertThat(left).isEmpty();
    }

    private static Watched watched(Scene scene) {
        return new Watched(scene.ask.id(), scene.attempt);
    }

    @Test
    void listPagesThroughEverythingNewestFirst() {
        List<EntryId> made = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            made.addFirst(aged(at(Stage.IN_DOUBT), Duration.ofSeconds(70 - i * 10L)).ask.id());
        }

        List<EntryId> seen = new ArrayList<>();
        String after = null;
        do {
            Page page = ledger().list(new Query(null, cases.client(), null, null, null, 3, after));
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(3);
            page.entries().forEach(entry -> seen.add(entry.id()));
            after = page.next();
        } while (after != null);

        assertThat(seen).isEqualTo(made);
    }

    @Test
    void listFilters() {
        Scene doubtful = at(Stage.IN_DOUBT);
        Scene recorded = at(Stage.RECORDED);
        String client = cases.client();
        String key = found(recorded.ask.id()).entry().key();

        assertThat(ids(new Query(State.IN_DOUBT, client, null, null, null, 10, null)))
                .containsExactly(doubtful.ask.id());
        assertThat(ids(new Query(null, client, null, key, null, 10, null))).containsExactly(recorded.ask.id());
        assertThat(ids(new Query(null, client, "elsewhere", null, null, 10, null))).isEmpty();
        assertThat(ids(new Query(null, UUID.randomUUID().toString(), null, null, null, 10, null))).isEmpty();
        age(doubtful.ask.id(), Duration.ofHours(3));
        Instant since = found(recorded.ask.id()).now().minus(Duration.ofHours(1));
        assertThat(ids(new Query(null, client, "payments", null, since, 10, null))).containsExactly(recorded.ask.id());
    }

    private List<EntryId> ids(Query query) {
        return ledger().list(query).entries().stream().map(Entry::id).toList();
    }

    @Test
    void listSaysTheLedgersTime() {
        Instant now = found(at(Stage.CLAIMED).ask.id()).now();

        assertThat(ledger().list(new Query(null, null, null, null, null, 1, null)).now()).isAfterOrEqualTo(now);
    }

    @Test
    void healthySaysSo() {
        assertThat(ledger().find(cases.key().id())).isNull();

        assertThat(ledger().health()).isEqualTo(new Ledger.Health(true, true, null));
    }
}

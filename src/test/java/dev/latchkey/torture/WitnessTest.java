package dev.latchkey.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Lies are found, and what can be true is never accused (contract §5 to §8).
class WitnessTest {

    private static final String A = "first request";
    private static final String B = "changed request";

    @Nested
    class Truth {

        @Test
        void replaysAfterTheFirstAnswer() {
            innocent(new Tale().fresh(A, 201).replay(A, 201).replay(A, 201).ends("recorded", 201, 1));
        }

        @Test
        void racersReplayTheWinner() {
            innocent(new Tale().replay(A, 201).meanwhile().fresh(A, 201).meanwhile().replay(A, 201)
                    .ends("recorded", 201, 1));
        }

        @Test
        void changedRequestIsAMismatch() {
            innocent(new Tale().fresh(A, 201).mismatch(B, "recorded").replay(A, 201).ends("recorded", 201, 1));
        }

        @Test
        void correctionRunsAfterARejection() {
            innocent(new Tale().fresh(A, 422).replay(A, 422).fresh(B, 201).mismatch(A, "recorded").replay(B, 201)
                    .ends("recorded", 201, 1));
        }

        @Test
        void rejectionIsReadBeforeTheCorrectionAndHeardAfterIt() {
            innocent(new Tale().fresh(A, 422).fresh(B, 201).meanwhile().replay(A, 422).ends("recorded", 201, 1));
        }

        @Test
        void rejectedRequestRunsAsACorrectionOfItsOwnCorrection() {
            innocent(new Tale().fresh(A, 422).fresh(B, 400).fresh(A, 201).mismatch(B, "recorded")
                    .ends("recorded", 201, 1));
            innocent(new Tale().fresh(A, 422).fresh(B, 400).fresh(A, 404).ends("recorded", 404, 0));
        }

        @Test
        void correctionThatNobodyHeardOfTurnsTheFirstIntoAMismatch() {
            innocent(new Tale().fresh(A, 422).silence(B).mismatch(A, "recorded").ends("recorded", 201, 1));
            innocent(new Tale().fresh(A, 422).silence(B).mismatch(A, "in-doubt").ends("in-doubt", null, 1));
        }

        @Test
        void changedRequestWinsAKeyThatWasReleased() {
            innocent(new Tale().unbound(A, 429, "released").fresh(B, 201).mismatch(A, "recorded")
                    .ends("recorded", 201, 1));
            innocent(new Tale().mismatch(A, "claimed").meanwhile().fresh(B, 201).ends("recorded", 201, 1));
        }

        @Test
        void timeoutIsFollowedByAnything() {
            innocent(new Tale().timeout(A).refused(A, 409, "in-progress", "claimed", "maybe").replay(A, 201)
                    .ends("recorded", 201, 1));
            innocent(new Tale().timeout(A).doubt(A).doubt(A).ends("in-doubt", null, 1));
            innocent(new Tale().timeout(A).notSent(A).fresh(A, 201).ends("recorded", 201, 1));
        }

        @Test
        void doubtIsSettledByALateResponse() {
            innocent(new Tale().timeout(A).doubt(A).replay(A, 201).ends("recorded", 201, 1));
        }

        @Test
        void doubtIsSettledByAnotherForward() {
            innocent(new Tale().unbound(A, 500, "in-doubt").fresh(A, 201).replay(A, 201)
                    .ends(new Ending("recorded", 201, 2), 1));
        }

        @Test
        void listedStatusSettlesAnotherForwardOfWhatTookEffect() {
            innocent(new Tale().doubt(A).fresh(A, 409).replay(A, 409).ends(new Ending("recorded", 409, 2), 1));
        }

        @Test
        void doubtMayOrMayNotHaveTakenEffect() {
            innocent(new Tale().unbound(A, 500, "in-doubt").doubt(A).ends("in-doubt", null, 0));
            innocent(new Tale().unbound(A, 500, "in-doubt").doubt(A).ends("in-doubt", null, 1));
            innocent(new Tale().silence(A).doubt(A).ends("in-doubt", null, 1));
        }

        @Test
        void responseIsGoneAfterItWasTold() {
            innocent(new Tale().fresh(A, 201).refused(A, 410, "response-gone", "recorded", "yes")
                    .refused(B, 410, "response-gone", "recorded", "yes").ends("recorded", 201, 1));
            innocent(new Tale().fresh(A, 201).ends("recorded", null, 1));
        }

        @Test
        void refusalsThatSayNothingOfTheKeyMayComeAtAnyTime() {
            innocent(new Tale().fresh(A, 201).unavailable(A).unavailable(B).refused(A, 503, "draining", "", "maybe")
                    .refused(A, 500, "internal-error", "", "maybe").replay(A, 201).ends("recorded", 201, 1));
        }

        @Test
        void balancerAnswersInTheGatewaysPlace() {
            innocent(new Tale().fresh(A, 201).unbound(A, 503, "").replay(A, 201).ends("recorded", 201, 1));
        }

        @Test
        void callWithoutAnAnswerMayHaveDoneAnything() {
            innocent(new Tale().silence(A).replay(A, 201).ends("recorded", 201, 1));
            innocent(new Tale().silence(A).unavailable(A).ends("recorded", 201, 1));
            innocent(new Tale().silence(A).ends("none", null, 0));
            innocent(new Tale().silence(A).unavailable(A).ends("released", null, 0));
        }

        @Test
        void responseIsToldWithoutBeingRecordedAndRecordedLater() {
            innocent(new Tale().unbound(A, 201, "in-doubt").replay(A, 201).ends("recorded", 201, 1));
            innocent(new Tale().unbound(A, 201, "in-doubt").doubt(A).ends("in-doubt", null, 1));
        }

        @Test
        void statusThatTheRouteRecordsStays() {
            innocent(new Tale().fresh(A, 500).replay(A, 500).mismatch(B, "recorded").ends("recorded", 500, 0));
        }

        @Test
        void keyIsReleasedToEachOfItsCallers() {
            innocent(new Tale().unbound(A, 429, "released").unbound(A, 429, "released").ends("released", null, 0));
            innocent(new Tale().notSent(A).meanwhile().notSent(A).ends("released", null, 0));
        }
    }

    @Nested
    class Lies {

        @Test
        void otherResponseAfterARecordedOne() {
            guilty("recorded answers differ",
                    new Tale().fresh(A, 201).replay(A, 201, "{\"id\":2}").ends("recorded", 201, 1));
            guilty("recorded answers differ", new Tale().fresh(A, 201).replay(A, 202).ends("recorded", 201, 1));
            guilty("recorded answers differ",
                    new Tale().fresh(A, 422).replay(A, 422, "{\"id\":2}").ends("recorded", 422, 0));
        }

        @Test
        void bothRequestsAreRecorded() {
            guilty("recorded answers differ", new Tale().fresh(A, 201).fresh(B, 201).ends("recorded", 201, 1));
            guilty("recorded answers differ",
                    new Tale().fresh(A, 201).meanwhile().replay(B, 201).ends("recorded", 201, 1));
        }

        @Test
        void recordedKeyIsCalledDoubtful() {
            guilty("after 201 recorded a call was told 409 outcome-unknown",
                    new Tale().fresh(A, 201).doubt(A).ends("recorded", 201, 1));
            guilty("after 201 recorded", new Tale().fresh(A, 201).timeout(A).ends("recorded", 201, 1));
            guilty("after 422 recorded", new Tale().fresh(A, 422).doubt(A).ends("recorded", 422, 0));
        }

        @Test
        void recordedKeyIsCalledFree() {
            guilty("after 201 recorded a call was told 502 not-forwarded",
                    new Tale().fresh(A, 201).notSent(A).ends("recorded", 201, 1));
            guilty("after 201 recorded a call was told 429 released",
                    new Tale().fresh(A, 201).unbound(A, 429, "released").ends("recorded", 201, 1));
        }

        @Test
        void recordedKeyIsForwardedAgain() {
            guilty("more than one caller was told that its own forward is recorded",
                    new Tale().fresh(A, 201).meanwhile().fresh(A, 201).ends("recorded", 201, 1));
            guilty("after 201 recorded a call was told 201 recorded",
                    new Tale().fresh(A, 201).fresh(A, 201).ends("recorded", 201, 1));
            guilty("more than one caller",
                    new Tale().fresh(A, 422).meanwhile().fresh(A, 422).ends("recorded", 422, 0));
        }

        @Test
        void rejectedRequestIsReplayedAfterItsCorrection() {
            guilty("after 201 recorded a call was told 422 recorded replayed",
                    new Tale().fresh(A, 422).fresh(B, 201).replay(A, 422).ends("recorded", 201, 1));
        }

        @Test
        void onlyRequestIsCalledAMismatch() {
            guilty("there was no other request",
                    new Tale().silence(A).mismatch(A, "recorded").ends("recorded", 201, 1));
            guilty("there was no other request",
                    new Tale().mismatch(A, "claimed").fresh(B, 201).ends("recorded", 201, 1));
        }

        @Test
        void mismatchIsReplayed() {
            guilty("after 201 recorded a call was told 409 in-progress",
                    new Tale().fresh(A, 201).refused(B, 409, "in-progress", "claimed", "maybe")
                            .ends("recorded", 201, 1));
        }

        @Test
        void effectHappensTwice() {
            guilty("took effect 2 times", new Tale().fresh(A, 201).ends("recorded", 201, 2));
            guilty("took effect 2 times", new Tale().silence(A).doubt(A).ends("in-doubt", null, 2));
        }

        @Test
        void recordedEffectNeverHappened() {
            guilty("took no effect", new Tale().fresh(A, 201).ends("recorded", 201, 0));
            guilty("took no effect", new Tale().silence(A).ends("recorded", 201, 0));
        }

        @Test
        void effectIsDenied() {
            guilty("no caller was told that it may have",
                    new Tale().fresh(A, 422).replay(A, 422).ends("recorded", 422, 1));
            guilty("no caller was told that it may have",
                    new Tale().notSent(A).unbound(A, 429, "released").ends("in-doubt", null, 1));
            guilty("no caller was told that it may have", new Tale().unavailable(A).ends("recorded", 201, 1));
        }

        @Test
        void rejectedKeyTookEffect() {
            guilty("is recorded with 422, and took effect", new Tale().silence(A).ends("recorded", 422, 1));
        }

        @Test
        void freeKeyTookEffect() {
            guilty("is free, and took effect", new Tale().silence(A).ends("released", null, 1));
            guilty("is free, and took effect", new Tale().silence(A).ends("none", null, 1));
        }

        @Test
        void ledgerHasLostWhatWasTold() {
            guilty("the ledger has it as none", new Tale().fresh(A, 201).ends("none", null, 1));
            guilty("the ledger has it as in-doubt", new Tale().fresh(A, 201).ends("in-doubt", null, 1));
            guilty("the ledger has it as recorded with 202", new Tale().fresh(A, 201).ends("recorded", 202, 1));
            guilty("the ledger has it as released", new Tale().fresh(A, 422).ends("released", null, 0));
            guilty("was called in doubt, and the ledger has no entry", new Tale().doubt(A).ends("none", null, 0));
        }

        @Test
        void keyStaysClaimed() {
            guilty("is still claimed", new Tale().timeout(A).ends("claimed", null, 1));
        }

        @Test
        void successDoesNotSayWhatItIs() {
            guilty("does not say what state the key is in", new Tale().unbound(A, 201, "").ends("recorded", 201, 1));
        }
    }

    @Test
    void eachLieIsSaidOnceWithWhatWasTold() {
        assertThat(new Tale().fresh(A, 201).doubt(A).doubt(A).ends("recorded", 201, 1)).containsExactly(
                "k: after 201 recorded a call was told 409 outcome-unknown; its callers were told"
                        + " [201 recorded, 409 outcome-unknown, 409 outcome-unknown]");
    }

    @Test
    void answersAreCountedByKind() {
        Witness witness = new Witness();
        witness.hearsNothing("k", A, 1);
        witness.hears(new Told("k", A, 201, "", "recorded", true, "", "", false, 2, 3));
        witness.hears(new Told("l", A, 201, "", "recorded", true, "", "", false, 2, 3));
        assertThat(witness.kinds()).hasToString("{201 recorded replayed=2, no answer=1}");
        assertThat(witness.keys()).containsExactlyInAnyOrder("k", "l");
        assertThat(witness.told("m")).isEmpty();
    }

    private static void innocent(List<String> findings) {
        assertThat(findings).isEmpty();
    }

    private static void guilty(String of, List<String> findings) {
        assertThat(findings).anySatisfy(each -> assertThat(each).contains(of));
    }
}

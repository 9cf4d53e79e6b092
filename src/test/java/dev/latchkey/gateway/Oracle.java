package dev.latchkey.gateway;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Holds what every call was told, and where every key ended, against what happened.
final class Oracle {

    private final Scenario scenario;
    private final Chronicle chronicle;
    private final SimulatedDownstream downstream;
    private final Story story;

    Oracle(Scenario scenario, Chronicle chronicle, SimulatedDownstream downstream, Story story) {
        this.scenario = scenario;
        this.chronicle = chronicle;
        this.downstream = downstream;
        this.story = story;
    }

    void keyEndsWell(String key) {
        Chronicle.Span end = chronicle.now(key);
        for (int epoch = 0; epoch <= end.epoch(); epoch++) {
            int effects = downstream.effects(key, epoch).size();
            if (effects > 1 && !scenario.resend()) {
                story.wrong(key + " took effect " + effects + " times");
            }
        }
        boolean acted = !downstream.effects(key, end.epoch()).isEmpty();
        if (end.state() == State.CLAIMED) {
            story.wrong(key + " is still claimed");
        }
        // A re-forward may come while the first forward is held up before its first byte.
        boolean nobodyDied = !scenario.crashes() && scenario.stalls() == 0
                && scenario.standby() == Scenario.Commits.ALONE && scenario.deduplicates() == null
                && !scenario.resend();
        if (end.state() == State.IN_DOUBT && nobodyDied && !downstream.everSent(key)) {
            story.wrong(key + " is in doubt though not a byte was ever sent");
        }
        if (end.state() == State.RELEASED && acted) {
            story.wrong(key + " is free though it took effect");
        }
        if (end.state() == State.IN_DOUBT && scenario.lookup() && scenario.deduplicates() == null
                && !scenario.rollout()) {
            story.wrong(key + " is in doubt though the downstream says what became of it");
        }
    }

    void answersAreTrue(List<SimulatedCallers.Told> all) {
        for (SimulatedCallers.Told each : all) {
            long forwards = downstream.forwardsOf("call-" + each.call());
            if (forwards > 1) {
                story.wrong(each + " was forwarded " + forwards + " times");
            }
            switch (each.answer()) {
                case Answer.Refused refused -> isTrue(each, refused.refusal(), forwards);
                case Answer.Delivered delivered when AnswerRules.binds(delivered) -> isTrue(each, delivered);
                case Answer.Delivered other -> {
                }
                case Answer.Streamed streamed -> {
                }
            }
        }
        for (SimulatedCallers.Told earlier : all) {
            for (SimulatedCallers.Told later : all) {
                if (earlier.key().equals(later.key()) && later.begin().compareTo(earlier.at()) >= 0) {
                    agree(earlier, later);
                }
            }
        }
    }

    private void isTrue(SimulatedCallers.Told told, Refusal refusal, long forwards) {
        if (refusal.forwarded() == Refusal.Forwarded.NO && forwards > 0) {
            story.wrong(told + ": not forwarded, and it was");
        }
        if ((refusal.forwarded() == Refusal.Forwarded.NO || refusal.newKeySafe()) && sentBefore(told, null)) {
            story.wrong(told + ": no effect can exist, yet what was sent before took effect");
        }
        // An attempt that lost its compare-and-set is told what the ledger holds: 409, 410 or 422.
        boolean mayHave = List.of(409, 410, 422, 502, 504).contains(refusal.status());
        if (!mayHave && forwards > 0) {
            story.wrong(told + ": nothing was forwarded by this call, and it was");
        }
        if (refusal.problem() == Problem.RESPONSE_GONE
                && spans(told).stream().noneMatch(span -> isGone(span.found(), told.at()))) {
            story.wrong(told + ": its response is there");
        }
    }

    private boolean isGone(@Nullable Found found, Duration at) {
        if (found == null || found.entry().state() != State.RECORDED) {
            return false;
        }
        RecordedResponse response = found.response();
        boolean jumps = scenario.clocks() == Scenario.Wrong.LEDGER_JUMPS;
        Instant now = Stage.START.plus(at).plus(jumps ? Simulation.MOST_JUMPED : Duration.ZERO);
        return response == null || response.body() == null || found.entry().status() == null
                || !response.replayable(now);
    }

    /// Whether anything took effect that was sent under the key before the call began, since it was forgotten last.
    ///
    /// @param body of the request; null: any
    private boolean sentBefore(SimulatedCallers.Told told, @Nullable String body) {
        int epoch = spans(told).getLast().epoch();
        return downstream.effects(told.key(), epoch).stream().map(SimulatedDownstream.Effect::of).anyMatch(
                sent -> (body == null || body.equals(sent.body())) && sent.sentAt().compareTo(told.begin()) < 0);
    }

    private List<Chronicle.Span> spans(SimulatedCallers.Told told) {
        return chronicle.between(told.key(), told.begin(), told.at());
    }

    /// Recorded is only said of what the ledger held meanwhile.
    private void isTrue(SimulatedCallers.Told told, Answer.Delivered delivered) {
        int status = delivered.response().status();
        Chronicle.Span span = recorded(told, delivered);
        if (span == null) {
            story.wrong(told + ": it was not recorded so");
            return;
        }
        boolean acted = !downstream.effects(told.key(), span.epoch()).isEmpty();
        if (status < 400 && !acted) {
            story.wrong(told + ": nothing happened");
        }
        boolean own = downstream.effects().stream().anyMatch(e -> e.of().call().equals("call-" + told.call()));
        if (status >= 400 && (own || sentBefore(told, told.body()))) {
            story.wrong(told + ": yet its request took effect");
        }
    }

    /// What an answer told of; of a ledger that has lost it again, whenever that was: what was never acknowledged may be
    /// in a replica's memory.
    private Chronicle.@Nullable Span recorded(SimulatedCallers.Told told, Answer.Delivered delivered) {
        int status = delivered.response().status();
        Object body = delivered.response().body();
        Chronicle.Span found = null;
        for (Chronicle.Span span : chronicle.spans(told.key())) {
            if (span.replays(status, body) && (span.lost() || span.within(told.begin(), told.at()))) {
                found = found == null || !span.lost() ? span : found;
            }
        }
        return found == null ? streamedOrErased(told, delivered) : found;
    }

    /// What is recorded without a body was told with it to the call that made the forward; what is erased may be in a
    /// replica's memory.
    private Chronicle.@Nullable Span streamedOrErased(SimulatedCallers.Told told, Answer.Delivered delivered) {
        List<Chronicle.Span> all = chronicle.spans(told.key());
        for (Chronicle.Span span : spans(told)) {
            boolean erased = span.found() != null && span.found().entry().erased();
            boolean was = all.stream().anyMatch(
                    it -> it.epoch() == span.epoch()
                            && it.replays(delivered.response().status(), delivered.response().body()));
            if (erased && was && delivered.replayed()) {
                return span;
            }
        }
        return null;
    }

    private void agree(SimulatedCallers.Told earlier, SimulatedCallers.Told later) {
        if (!(earlier.answer() instanceof Answer.Delivered delivered) || !AnswerRules.binds(delivered)) {
            return;
        }
        Chronicle.Span span = recorded(earlier, delivered);
        boolean over = span == null || span.lost() || isOver(earlier.key(), span, later.at());
        boolean same = Objects.equals(earlier.body(), later.body());
        if (!over && !AnswerRules.allows(delivered, later.answer(), same)) {
            story.wrong(later + " contradicts " + earlier);
        }
    }

    /// Whether the key has been claimed anew, or purged, by then.
    private boolean isOver(String key, Chronicle.Span span, Duration at) {
        List<Chronicle.Span> all = chronicle.spans(key);
        return all.subList(all.indexOf(span) + 1, all.size()).stream()
                .filter(next -> next.within(Duration.ZERO, at))
                .anyMatch(next -> next.found() == null || next.state() == State.CLAIMED);
    }
}

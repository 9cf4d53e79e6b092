package dev.latchkey.torture;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// One key's story against the contract: what its callers were told, how often it took effect, how the ledger has it. Must
/// never accuse a story that can be true; where it cannot tell, it says nothing. Used once.
final class Audit {

    private final List<Told> told;
    private final List<Unanswered> unanswered;
    private final int effects;
    private final Ending ending;
    private final Set<String> wrong = new LinkedHashSet<>();

    Audit(List<Told> told, List<Unanswered> unanswered, int effects, Ending ending) {
        this.told = List.copyOf(told);
        this.unanswered = List.copyOf(unanswered);
        this.effects = effects;
        this.ending = ending;
    }

    /// What is not true, one sentence each.
    Set<String> findings() {
        told.stream().filter(Told::lasting).forEach(this::afterLasting);
        told.stream().filter(Told::rejection).forEach(this::afterRejection);
        aboutFreshAnswers();
        aboutMismatches();
        aboutEffects();
        aboutEnding();
        return wrong;
    }

    /// What is recorded for good: nothing else is ever recorded, and who asks later gets it (contract §6).
    private void afterLasting(Told earlier) {
        for (Told later : told) {
            boolean same = later.request().equals(earlier.request());
            if (later.lasting() && !(same && alike(earlier, later))) {
                wrong.add("recorded answers differ: " + both(earlier, later));
            } else if (isAfter(earlier, later) && !later.silent() && !later.gone() && !(same
                    ? alike(earlier, later) && later.replayed()
                    : later.mismatch())) {
                wrong.add(after(earlier, later));
            }
        }
    }

    /// A rejection binds until another request may have run as its correction. After that this one may even run again, as a
    /// correction of the other.
    private void afterRejection(Told earlier) {
        for (Told later : told) {
            if (isOtherAskedBefore(earlier.request(), Math.max(earlier.heard(), later.heard()))) {
                continue;
            }
            if (later.recorded() && !alike(earlier, later)) {
                wrong.add("recorded answers differ: " + both(earlier, later));
            } else if (isAfter(earlier, later) && !later.silent() && !later.gone()
                    && !(alike(earlier, later) && later.replayed())) {
                wrong.add(after(earlier, later));
            }
        }
    }

    /// Two calls cannot both have made the forward that was recorded.
    private void aboutFreshAnswers() {
        long lasting = told.stream().filter(each -> each.lasting() && !each.replayed()).count();
        long recorded = told.stream().filter(each -> each.recorded() && !each.replayed()).count();
        if (lasting > 1 || (recorded > 1 && isOneRequest())) {
            wrong.add("more than one caller was told that its own forward is recorded");
        }
        told.stream().filter(Told::unmarked).forEach(each -> wrong.add(
                "an answer " + each.status() + " does not say what state the key is in"));
    }

    private void aboutMismatches() {
        for (Told each : told) {
            if (each.mismatch() && !isOtherAskedBefore(each.request(), each.heard())) {
                wrong.add("a call was told " + each.kind() + ", and there was no other request");
            }
        }
    }

    private void aboutEffects() {
        if (effects > 1) {
            wrong.add("took effect " + effects + " times");
        }
        if (effects == 0 && told.stream().anyMatch(Told::success)) {
            wrong.add("was called recorded, and took no effect");
        }
        if (effects > 0 && unanswered.isEmpty() && told.stream().allMatch(Told::denying)) {
            wrong.add("took effect, and no caller was told that it may have");
        }
    }

    private void aboutEnding() {
        boolean bound = isOneRequest();
        for (Told each : told) {
            boolean holds = each.lasting() || (each.rejection() && bound);
            if (holds && !ending.isRecordedWith(each.status())) {
                wrong.add("was called " + each.kind() + ", and the ledger has it as " + ending);
            }
            if (each.doubtful() && ending.isNone()) {
                wrong.add("was called in doubt, and the ledger has no entry");
            }
        }
        Integer status = ending.status();
        switch (ending.state()) {
            case "claimed" -> wrong.add("is still claimed");
            case "recorded" -> {
                if (status != null && status < 400 && effects == 0) {
                    wrong.add("is " + ending + ", and took no effect");
                }
                // A route that lists a 4xx as recorded may settle a re-forward with it.
                if (status != null && status >= 400 && status < 500 && effects > 0 && ending.attempts() == 1) {
                    wrong.add("is " + ending + ", and took effect");
                }
            }
            case "released", "none" -> {
                if (effects > 0) {
                    wrong.add("is free, and took effect");
                }
            }
            default -> {
                // In doubt: it may or may not have.
            }
        }
    }

    private static boolean alike(Told one, Told other) {
        return one.recorded() && other.recorded() && one.status() == other.status() && one.body().equals(other.body());
    }

    private static boolean isAfter(Told earlier, Told later) {
        return later.asked() - earlier.heard() > 0;
    }

    private boolean isOneRequest() {
        return told.stream().allMatch(each -> isSameRequest(each.request()))
                && unanswered.stream().allMatch(each -> isSameRequest(each.request()));
    }

    private boolean isSameRequest(String request) {
        String first = told.isEmpty() ? unanswered.getFirst().request() : told.getFirst().request();
        return request.equals(first);
    }

    private boolean isOtherAskedBefore(String request, long heard) {
        return told.stream().anyMatch(each -> each.asked() - heard < 0 && !each.request().equals(request))
                || unanswered.stream().anyMatch(each -> each.asked() - heard < 0 && !each.request().equals(request));
    }

    private static String both(Told one, Told other) {
        return one.kind() + ", " + other.kind();
    }

    private static String after(Told earlier, Told later) {
        return "after " + earlier.kind() + " a call was told " + later.kind();
    }
}

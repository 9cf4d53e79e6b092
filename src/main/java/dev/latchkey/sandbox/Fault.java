package dev.latchkey.sandbox;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The trouble that one request asked for with `Sandbox-Fault`: one or several, with commas, of `delay=3s`,
/// `status=500`, `drop-before` and `drop-after`. Immutable.
///
/// With `status` or `drop-before` nothing takes effect; without them the effect comes first, then the delay, then the
/// answer or the hanging up. So a caller that gives up during a delay has paid.
///
/// @param delay  how long the caller waits for whatever comes
/// @param status the answer in place of the real one
/// @param drop   whether, and on which side of the effect, the connection is reset without an answer
record Fault(Duration delay, OptionalInt status, Optional<Drop> drop) {

    /// Which side of the effect the connection is lost on.
    enum Drop {
        BEFORE, AFTER
    }

    static final String HEADER = "Sandbox-Fault";

    private static final Fault NONE = new Fault(Duration.ZERO, OptionalInt.empty(), Optional.empty());
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(10);
    private static final Pattern DELAY = Pattern.compile("delay=([0-9]{1,6})(ms|s|m)");
    private static final Pattern STATUS = Pattern.compile("status=([2-5][0-9]{2})");

    /// @throws Refusal 400, saying what is allowed
    static Fault read(@Nullable String header) {
        Fault fault = NONE;
        if (header == null || header.isBlank()) {
            return fault;
        }
        for (String one : header.split(",", -1)) {
            fault = fault.and(one.strip());
        }
        return fault;
    }

    boolean letsItHappen() {
        return status.isEmpty() && !drop.equals(Optional.of(Drop.BEFORE));
    }

    private Fault and(String one) {
        Matcher delayed = DELAY.matcher(one);
        Matcher answered = STATUS.matcher(one);
        if (delayed.matches()) {
            return new Fault(length(Long.parseLong(delayed.group(1)), delayed.group(2)), status, drop);
        }
        if (answered.matches()) {
            return new Fault(delay, OptionalInt.of(Integer.parseInt(answered.group(1))), drop);
        }
        return switch (one) {
            case "drop-before" -> new Fault(delay, status, Optional.of(Drop.BEFORE));
            case "drop-after" -> new Fault(delay, status, Optional.of(Drop.AFTER));
            default -> throw unreadable();
        };
    }

    private static Duration length(long number, String unit) {
        Duration length =
                switch (unit) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    default -> Duration.ofMinutes(number);
                };
        if (length.compareTo(LONGEST_DELAY) > 0) {
            throw unreadable();
        }
        return length;
    }

    private static Refusal unreadable() {
        return new Refusal(
                400,
                HEADER + " takes delay=3s (ms, s or m; at most 10m), status=500 (200 to 599), drop-before and"
                        + " drop-after, several of them with commas.");
    }
}

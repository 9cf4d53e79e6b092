package dev.latchkey.config;

import java.time.Duration;

/// `claims`: claims that callers hold themselves.
///
/// @param lease how long a claim holds where its caller does not say
/// @param longestLease `lease-max`: a longer lease that a caller asks for is cut to it
/// @param retention how long results are kept; nothing here is a rejection
public record ClaimSettings(Duration lease, Duration longestLease, Retention retention) {

    private static final Duration USUAL = Duration.ofMinutes(1);

    public ClaimSettings {
        new Checks()
                .positive(lease, "lease")
                .positive(longestLease, "lease-max")
                .that(
                        lease.compareTo(longestLease) <= 0,
                        "lease",
                        DurationText.format(lease) + " is longer than claims.lease-max, "
                                + DurationText.format(longestLease) + "; write at most that")
                .done();
    }

    public static ClaimSettings defaults() {
        return new ClaimSettings(USUAL, Duration.ofHours(1), Retention.defaults());
    }

    /// The usual lease, or the longest where that is less.
    static Duration usualLeaseWithin(Duration longest) {
        return longest.compareTo(USUAL) < 0 ? longest : USUAL;
    }
}

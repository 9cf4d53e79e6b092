package dev.latchkey.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The closed list of refusals (RFC 9457 problem types). Each has a page under `/problems/<slug>`.
public enum Problem {
    KEY_MISSING(400, "An Idempotency-Key is required"),
    KEY_INVALID(400, "The Idempotency-Key cannot be read"),
    PATH_INVALID(400, "The path cannot be forwarded safely"),
    REQUEST_INVALID(400, "The request cannot be read"),
    VERDICT_INVALID(400, "The verdict cannot be read"),
    UNAUTHENTICATED(401, "No valid credential"),
    ROUTE_FORBIDDEN(403, "This client may not use this route"),
    NO_SUCH_ROUTE(404, "No route has this path"),
    NO_SUCH_ENTRY(404, "No entry of yours has this name"),
    METHOD_NOT_ALLOWED(405, "This method is not forwarded"),
    REQUEST_TOO_SLOW(408, "The request did not come in time"),
    IN_PROGRESS(409, "The first call is still under way"),
    OUTCOME_UNKNOWN(409, "Nobody can know whether the effect happened"),
    TOO_EARLY(409, "The downstream was looked at too early"),
    WINDOW_OPEN(409, "The downstream still deduplicates"),
    NOT_IN_DOUBT(409, "The entry is not in doubt"),
    STILL_CLAIMED(409, "The entry is claimed or in doubt"),
    CLAIM_LOST(409, "The claim is lost"),
    RESPONSE_GONE(410, "Recorded, but the response is no longer kept"),
    BODY_TOO_LARGE(413, "The request body is too large"),
    KEY_REUSED(422, "The key was used for another request"),
    TOO_MANY_CALLS(429, "This client makes too many calls"),
    HEADER_FIELDS_TOO_LARGE(431, "Target and header fields are too large"),
    INTERNAL_ERROR(500, "The gateway failed"),
    NOT_FORWARDED(502, "Nothing was sent to the downstream"),
    OVERLOADED(503, "The gateway has no place for this call"),
    DRAINING(503, "This replica is shutting down"),
    LEDGER_UNAVAILABLE(503, "The ledger does not answer");

    private final int status;
    private final String title;

    Problem(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /// The status code; `outcome-unknown` is also told with 502 and 504.
    public int status() {
        return status;
    }

    /// One line for people.
    public String title() {
        return title;
    }

    /// The name in paths and documents, such as `key-reused`.
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The problem of that slug.
    public static Optional<Problem> bySlug(String slug) {
        return Arrays.stream(values()).filter(problem -> problem.slug().equals(slug)).findFirst();
    }
}

package dev.latchkey.server;

import dev.latchkey.http.Problem;

/// What a problem means, in plain words.
///
/// @param happened what happened
/// @param effect whether an effect may exist or come
/// @param todo what the caller should do
/// @param operator what to tell the operator
record ProblemText(String happened, String effect, String todo, String operator) {

    private static final String THIS_CALL_NONE =
            "This call forwarded nothing. An earlier call with the same key may have.";
    private static final String TELL_INSTANCE = "The instance of the problem document: it is in the gateway's log.";
    private static final String NOTHING = "Nothing, unless you cannot find out by yourself.";
    private static final String VERDICT_NONE = "This request settled nothing.";

    static ProblemText of(Problem problem) {
        return switch (problem) {
            case KEY_MISSING, KEY_INVALID, PATH_INVALID, REQUEST_INVALID, REQUEST_TOO_SLOW, HEADER_FIELDS_TOO_LARGE,
                    BODY_TOO_LARGE,
                    METHOD_NOT_ALLOWED -> ofRequest(problem);
            case UNAUTHENTICATED, ROUTE_FORBIDDEN, NO_SUCH_ROUTE, NO_SUCH_ENTRY -> ofAccess(problem);
            case IN_PROGRESS, OUTCOME_UNKNOWN, RESPONSE_GONE, KEY_REUSED, NOT_FORWARDED, CLAIM_LOST -> ofKey(problem);
            case TOO_MANY_CALLS, INTERNAL_ERROR, OVERLOADED, DRAINING, LEDGER_UNAVAILABLE -> ofGateway(problem);
            case VERDICT_INVALID, TOO_EARLY, WINDOW_OPEN, NOT_IN_DOUBT, STILL_CLAIMED -> ofOperator(problem);
        };
    }

    private static ProblemText ofRequest(Problem problem) {
        return switch (problem) {
            case KEY_MISSING -> new ProblemText(
                    "The request needs an Idempotency-Key and has none, or an empty one, or the route makes the key from the"
                            + " JSON body and a value that it takes is not there.",
                    "No. Nothing was forwarded, and no key was read.",
                    "Choose a key that names the effect, such as order-shipped:1001:2026-01-04, and send the same one"
                            + " whenever you repeat it. A random key made anew for each attempt protects nothing.",
                    NOTHING);
            case KEY_INVALID -> new ProblemText(
                    "The Idempotency-Key cannot be read. The detail says which character at which place.",
                    "No. Nothing was forwarded, and no key was read.",
                    "Send one line with 1 to 255 characters of printable ASCII, neither first nor last a space. With spaces,"
                            + " quotes, backslashes, commas or semicolons in it, put it in double quotes.",
                    NOTHING);
            case PATH_INVALID -> new ProblemText(
                    "The path could be read in two ways, or could lead out of the route: a dot segment, an encoded slash,"
                            + " NUL or backslash, a bad percent escape, or an empty segment.",
                    THIS_CALL_NONE,
                    "Build the path from whole, percent-encoded segments. Put what may hold a slash into the query or the"
                            + " body.",
                    "If the downstream needs such paths, tell the operator: the gateway does not pass them on.");
            case REQUEST_INVALID -> new ProblemText(
                    "The request is not well-formed, or a part of it cannot be read: its framing, its content coding, its"
                            + " query, or its body did not come in time.",
                    THIS_CALL_NONE, "Correct the request; the detail says what is wrong.", TELL_INSTANCE);
            case HEADER_FIELDS_TOO_LARGE -> new ProblemText(
                    "Target and header fields together are larger than the gateway takes.",
                    THIS_CALL_NONE, "Send fewer or shorter header fields; cookies are not forwarded anyway.",
                    "If it must be so large: the setting limits.header-fields.");
            case REQUEST_TOO_SLOW -> new ProblemText(
                    "The body came so slowly that it would have held the gateway's memory for others.",
                    THIS_CALL_NONE, "Call again with the same key, over a better connection or with less at once.",
                    "If it must be so slow: the settings limits.caller-time and limits.caller-rate.");
            case BODY_TOO_LARGE -> new ProblemText(
                    "The body, or what it is once decoded, is larger than the gateway takes.",
                    THIS_CALL_NONE, "Send less at once.", "If it must be so large: the setting limits.request-body.");
            default -> new ProblemText(
                    "The method is not one that is forwarded, or this page does not take it.",
                    THIS_CALL_NONE, "Use a method that the Allow field names.", NOTHING);
        };
    }

    private static ProblemText ofAccess(Problem problem) {
        return switch (problem) {
            case UNAUTHENTICATED -> new ProblemText(
                    "The request brings no token, or none that the gateway knows.",
                    THIS_CALL_NONE,
                    "Send your token as Authorization: Bearer, as either half of Basic, or in Latchkey-Token. A new token is"
                            + " the same client: your keys stay yours.",
                    "Which client you are. Never the token.");
            case ROUTE_FORBIDDEN -> new ProblemText(
                    "This client is held to other routes.", THIS_CALL_NONE, "Use a route that is yours.",
                    "The client's name and the route's.");
            case NO_SUCH_ROUTE -> new ProblemText(
                    "No route of the gateway has a prefix of this path, and it is none of the gateway's own pages.",
                    THIS_CALL_NONE,
                    "Look at the path: prefixes match whole segments, and upper and lower case differ.",
                    "The path that you expect to be there.");
            default -> new ProblemText(
                    "You have no entry of this name. Another client's entry is not told from none.",
                    "Reading forwards nothing. A key without an entry was never claimed, or was forgotten after its"
                            + " retention.",
                    "Look at the entry id, or ask with the key itself: GET /v1/entry.", "The entry id.");
        };
    }

    private static ProblemText ofKey(Problem problem) {
        return switch (problem) {
            case IN_PROGRESS -> new ProblemText(
                    "The first call with this key is still under way, and this call's wait is spent.",
                    "Probably soon: the first call was forwarded or is about to be.",
                    "Call again with the same key and the same request after Retry-After. Prefer: wait=N waits longer at"
                            + " once.",
                    "If it never ends: the entry id in Location.");
            case OUTCOME_UNKNOWN -> new ProblemText(
                    "The request was forwarded and no answer came that says what became of it: a time-out, a broken"
                            + " connection, or an error of the service behind the gateway. The gateway does not guess.",
                    "Perhaps. The effect may have happened, may still happen, or may never have.",
                    "Never send it under a new key: that could make a second effect. If retry_same_key is true, call again"
                            + " with the same key after Retry-After. Else look into the service behind the gateway.",
                    "The entry id in Location, and what you found there: an operator can settle the entry with a verdict.");
            case RESPONSE_GONE -> new ProblemText(
                    "This request was done and recorded; its response was purged, erased, or too large to keep.",
                    "Yes, once; unless recorded_status is a 4xx, which says that it was refused. Nothing was sent again.",
                    "Do not repeat it. What became of it is in recorded_status and in the service behind the gateway.",
                    "If responses go too early: the setting retention.response.");
            case KEY_REUSED -> new ProblemText(
                    "The key was used for another request. differs says what is not the same: method, target or body.",
                    "Of the other request, perhaps; first_seen says since when. This one was not forwarded.",
                    "If you meant to repeat, send the very same request. If you meant another effect, make a key that names"
                            + " it.",
                    "If both requests are the same to you: what differs between them, for the setting fingerprint.ignore.");
            case CLAIM_LOST -> new ProblemText(
                    "The token's claim holds no longer: its lease ended and the key was released, claimed by another or"
                            + " settled, or a result is recorded already.",
                    "Perhaps: whatever you did under this claim, somebody else may have done as well. This request changed"
                            + " nothing.",
                    "Do nothing more under this claim. Claim again with the same key: the answer says what holds now.",
                    "The entry id in Location, and whether you carried out the effect: that cannot be seen from here.");
            default -> new ProblemText(
                    "Nothing was sent to the service behind the gateway: its name was not found, or it took no connection.",
                    "No. That nothing was sent is certain, and the key is free.",
                    "Call again after Retry-After, with the same key.", "The route's name, and since when.");
        };
    }

    private static ProblemText ofGateway(Problem problem) {
        String again = "Call again with the same key after Retry-After.";
        return switch (problem) {
            case TOO_MANY_CALLS -> new ProblemText(
                    "This client has as many calls under way as it may, or makes more a second than it may.",
                    THIS_CALL_NONE, again
                            + " Make fewer calls at once, and fewer a second: the detail says which bound it is.",
                    "The client's name, if it needs more.");
            case OVERLOADED -> new ProblemText(
                    "The replica, or the route, has no place for this call; or the keys of its token's issuer cannot be had.",
                    THIS_CALL_NONE, again,
                    "The route's name and the time, if it lasts: the settings under limits.");
            case DRAINING -> new ProblemText(
                    "This replica is shutting down; another one takes over.", THIS_CALL_NONE, again, NOTHING);
            case LEDGER_UNAVAILABLE -> new ProblemText(
                    "The gateway's database cannot be reached, or does not answer in time. Without it nothing is forwarded under a key.",
                    THIS_CALL_NONE, again, "Since when.");
            default -> new ProblemText(
                    "Something failed in the gateway that must not fail.",
                    "Perhaps: the gateway cannot tell how far this call came.",
                    "Call again with the same key: whatever happened, nothing is done twice.", TELL_INSTANCE);
        };
    }

    private static ProblemText ofOperator(Problem problem) {
        return switch (problem) {
            case VERDICT_INVALID -> new ProblemText(
                    "The verdict cannot be read: the detail says which member, and what is allowed.",
                    VERDICT_NONE, "Correct it and post it again.", NOTHING);
            case TOO_EARLY -> new ProblemText(
                    "The downstream was looked at before everything on its way must have arrived: a request may still act"
                            + " after its lease.",
                    "Perhaps, still. " + VERDICT_NONE,
                    "Look again from the time that the detail names, and post as_of with that look's time.", NOTHING);
            case WINDOW_OPEN -> new ProblemText(
                    "The downstream still deduplicates by the key, so that the next call settles it more safely than a"
                            + " verdict.",
                    "Perhaps. " + VERDICT_NONE,
                    "Have the client call again with the same key, or wait until the window is over.", NOTHING);
            case NOT_IN_DOUBT -> new ProblemText(
                    "Only an entry in doubt takes a verdict, and this one is not, or not any longer.",
                    VERDICT_NONE, "Read the entry again.", NOTHING);
            default -> new ProblemText(
                    "An entry that is claimed or in doubt cannot be erased: what becomes of it is still open.",
                    "Perhaps. Nothing was erased.", "Settle it first, then erase it.", NOTHING);
        };
    }
}

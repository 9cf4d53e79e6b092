package dev.latchkey.protocol;

/// Why an entry went into doubt or was released: a short name from a small set, fit for a metric label.
///
/// @param name such as `timeout` or `status-503`
public record Cause(String name) {

    /// No complete response came while the attempt could wait for one.
    public static final Cause TIMEOUT = new Cause("timeout");
    /// Reset or closed after the first byte may have left.
    public static final Cause CONNECTION_LOST = new Cause("connection-lost");
    /// A response came that cannot be understood, or was cut short.
    public static final Cause MALFORMED_RESPONSE = new Cause("malformed-response");
    /// The lease ended and nobody had settled the attempt: its process died or stalled.
    public static final Cause LEASE_OVER = new Cause("lease-over");
    /// A re-forward was not sent, which says nothing about the forward before it.
    public static final Cause NOT_SENT = new Cause("not-sent");
    /// The caller was told that nothing was forwarded.
    public static final Cause ABANDONED = new Cause("abandoned");
    /// The holder of a claim gave it up: nothing happened under it.
    public static final Cause GIVEN_UP = new Cause("given-up");
    /// The ledger refuses the response itself.
    public static final Cause UNRECORDABLE = new Cause("unrecordable");
    /// The gateway failed while it forwarded.
    public static final Cause INTERNAL_ERROR = new Cause("internal-error");
    /// The route no longer sends the key as it did: no re-forward, no lookup.
    public static final Cause SETTINGS_CHANGED = new Cause("settings-changed");

    /// The downstream answered with a status that settles nothing.
    public static Cause ofStatus(int status) {
        return new Cause("status-" + status);
    }
}

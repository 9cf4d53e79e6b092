package dev.latchkey.config;

import java.util.Locale;
import java.util.Set;

/// `routes[].downstream.key`: how the downstream is told the key.
///
/// @param value what is sent
/// @param header under which name
/// @param form bare, or quoted as a structured field's string (RFC 9651)
public record DownstreamKeySettings(Value value, String header, Form form) {

    private static final Set<String> OTHERS =
            Set.of("authorization", "cookie", "content-type", "content-encoding", "forwarded", "via", "traceparent");

    public DownstreamKeySettings {
        new Checks()
                .add("header", Spelling.ownFieldName(header))
                .that(
                        !OTHERS.contains(header.toLowerCase(Locale.ROOT)),
                        "header",
                        header + " has a meaning of its own; write the name under which the downstream expects the key")
                .done();
    }

    /// What is sent as the key.
    public enum Value {
        /// A UUID made from client, key and the correction's number.
        DERIVED,
        /// The caller's.
        AS_SENT,
        /// Nothing.
        NONE
    }

    /// How it is written.
    public enum Form {
        BARE, QUOTED
    }

    public static DownstreamKeySettings defaults() {
        return new DownstreamKeySettings(Value.DERIVED, "Idempotency-Key", Form.BARE);
    }
}

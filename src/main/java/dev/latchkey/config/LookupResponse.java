package dev.latchkey.config;

import org.jspecify.annotations.Nullable;

/// The response that is recorded when a lookup says *executed*.
///
/// @param status 2xx or 3xx
/// @param body a JSON pointer to the body within the lookup's answer; null: an empty body
public record LookupResponse(int status, @Nullable String body) {

    public LookupResponse {
        new Checks()
                .that(
                        status >= 200 && status <= 399,
                        "status",
                        status + " does not say that something was executed; write a number from 200 to 399")
                .add("body", body == null ? null : Spelling.pointer(body))
                .done();
    }
}

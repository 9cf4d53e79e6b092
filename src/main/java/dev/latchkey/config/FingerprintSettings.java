package dev.latchkey.config;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// `routes[].fingerprint`.
///
/// @param ignore JSON pointers (RFC 6901) to what does not count
/// @param headers names of fields that count
public record FingerprintSettings(List<String> ignore, List<String> headers) {

    private static final Set<String> NEVER = Set.of("authorization", "cookie", "idempotency-key", "latchkey-token");

    public FingerprintSettings {
        ignore = List.copyOf(ignore);
        headers = List.copyOf(headers);
        Checks checks = new Checks();
        for (int i = 0; i < ignore.size(); i++) {
            checks.add("ignore[" + i + "]", Spelling.pointer(ignore.get(i)));
        }
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.get(i);
            checks.add("headers[" + i + "]", Spelling.fieldName(name))
                    .that(
                            !NEVER.contains(name.toLowerCase(Locale.ROOT)),
                            "headers[" + i + "]",
                            name + " cannot count: credentials and keys are no part of what is asked; remove it");
        }
        checks.done();
    }

    public static FingerprintSettings defaults() {
        return new FingerprintSettings(List.of(), List.of());
    }
}

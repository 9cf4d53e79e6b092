package dev.latchkey.server;

import dev.latchkey.gateway.KeyRule;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.KeyTemplate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which key a request is under (contract §2, §3, §10).
final class Keys {

    static final String FIELD = "Idempotency-Key";

    private static final Set<String> NEEDING = Set.of("POST", "PATCH");
    private static final Set<String> HONOURING = Set.of("POST", "PATCH", "PUT", "DELETE");

    private Keys() {}

    /// Whether a key counts on this method.
    static boolean count(String method) {
        return HONOURING.contains(method);
    }

    /// The key as far as it can be read, to be echoed; null: none.
    static @Nullable IdempotencyKey readable(String method, Headers headers) {
        return count(method) && IdempotencyKey.parse(headers.all(FIELD)) instanceof IdempotencyKey.Valid valid
                ? valid.key()
                : null;
    }

    /// The key of a request; null: it goes without one.
    ///
    /// @throws Refusing where it needs one and has none that can be read
    static @Nullable IdempotencyKey of(Request request, KeyRule rule) {
        if (!count(request.method())) {
            return null;
        }
        List<String> lines = request.headers().all(FIELD);
        return switch (IdempotencyKey.parse(lines)) {
            case IdempotencyKey.Valid valid -> valid.key();
            case IdempotencyKey.Invalid invalid -> throw new Refusing(Problem.KEY_INVALID, invalid.reason() + ".");
            case IdempotencyKey.Missing _ when !lines.isEmpty() -> throw new Refusing(
                    Problem.KEY_MISSING, "The Idempotency-Key field is empty. Send a key of 1 to 255 characters.");
            case IdempotencyKey.Missing _ -> NEEDING.contains(request.method()) ? ofRule(request, rule) : null;
        };
    }

    private static @Nullable IdempotencyKey ofRule(Request request, KeyRule rule) {
        return switch (rule) {
            case KeyRule.Optional _ -> null;
            case KeyRule.Required _ -> throw new Refusing(
                    Problem.KEY_MISSING,
                    request.method()
                            + " on this route needs an Idempotency-Key. Send one that names this effect, and the"
                            + " same one whenever you repeat it.");
            case KeyRule.Derived derived -> switch (derived.template().render(request.body())) {
                case KeyTemplate.Rendered rendered -> rendered.key();
                case KeyTemplate.Missing missing -> throw new Refusing(
                        Problem.KEY_MISSING,
                        "This route makes the key from the JSON body, which has no value at " + missing.pointer()
                                + ". Send that value, or an Idempotency-Key.");
                case KeyTemplate.Invalid invalid -> throw new Refusing(
                        Problem.KEY_INVALID,
                        "This route makes the key from the JSON body. At " + invalid.pointer() + ": " + invalid.reason()
                                + ". Correct that value, or send an Idempotency-Key.");
            };
        };
    }
}

package dev.latchkey.gateway;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintKeys;
import dev.latchkey.protocol.Fingerprinting;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Refusal;
import java.util.Map;

/// Answers calls: gives each its route's plan, and its fingerprint where it has a key. Safe for any number of threads.
public final class Forwarding implements Calls {

    private final Map<String, RoutePlan> plans;
    private final IdempotentCall keyed;
    private final PlainCall plain;
    private final FingerprintKeys keys;
    private final long bodyLimit;

    /// Carries out calls on these routes.
    ///
    /// @param plans by the route's name
    /// @param keys what fingerprints are made with
    /// @param bodyLimit the most bytes of a request body, decoded
    public Forwarding(
            Map<String, RoutePlan> plans, IdempotentCall keyed, PlainCall plain, FingerprintKeys keys,
            long bodyLimit) {
        this.keys = keys;
        this.plans = Map.copyOf(plans);
        this.keyed = keyed;
        this.plain = plain;
        this.bodyLimit = bodyLimit;
    }

    @Override
    public Answer answer(Call call) {
        RoutePlan plan = plans.get(call.door().name());
        if (plan == null) {
            throw new IllegalArgumentException("no plan for route " + call.door().name());
        }
        IdempotencyKey key = call.key();
        return key == null ? plain.answer(call, plan) : answer(call, plan, key);
    }

    private Answer answer(Call call, RoutePlan plan, IdempotencyKey key) {
        String client = call.caller().oldestName();
        return switch (Fingerprint.of(call.request(), plan.fingerprint(), keys, bodyLimit)) {
            case Fingerprinting.Taken taken -> keyed.answer(
                    call, plan,
                    new Ask(
                            EntryId.of(client, key), client, key, plan.policy(), taken.fingerprint(), taken.digest(),
                            call.request().method(), call.request().target()));
            case Fingerprinting.Undecodable undecodable ->
                    new Answer.Refused(Refusal.of(Problem.REQUEST_INVALID, undecodable.reason()));
            case Fingerprinting.TooLarge tooLarge -> new Answer.Refused(Refusal.of(
                    Problem.BODY_TOO_LARGE,
                    "The request body is larger than " + tooLarge.limit() + " bytes once decoded. Send less at once."));
        };
    }
}

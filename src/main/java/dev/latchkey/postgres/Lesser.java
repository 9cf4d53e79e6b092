package dev.latchkey.postgres;

import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Transition;
import java.util.Optional;

/// What is still worth writing when the server refuses a transition for its data.
final class Lesser {

    private Lesser() {}

    /// A record without its response, then a doubt; a doubt without its response.
    static Optional<Transition> than(Transition refused) {
        return switch (refused) {
            case Transition.Record it when it.body() != null || !it.headers().lines().isEmpty() ->
                    Optional.of(withoutResponse(it));
            case Transition.Record _ -> Optional.of(Transition.Doubt.of(Cause.UNRECORDABLE));
            case Transition.Doubt it when it.body() != null || it.status() != null ->
                    Optional.of(Transition.Doubt.of(it.cause()));
            default -> Optional.empty();
        };
    }

    /// The same record, of the status only.
    static Transition.Record withoutResponse(Transition.Record it) {
        return new Transition.Record(it.status(), Headers.empty(), null, it.rejection(), it.retention());
    }
}

package dev.latchkey.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.http.Problem;
import java.util.List;
import java.util.function.Function;

/// Reads what operators send: one JSON object, of a bounded size. Safe for any number of threads.
final class OperatorBodies {

    /// The largest response that is kept as usual, in Base64, and room for the rest.
    private static final int MOST = 6 * 1024 * 1024;

    private final BodyReader reader = new BodyReader(MOST);
    private final ByteBudget budget;

    OperatorBodies(ByteBudget budget) {
        this.budget = budget;
    }

    /// @param use done while the body holds its share of the replica's bytes
    /// @throws Refusing for what is no JSON object, or does not say that it is JSON
    Reply read(Exchange exchange, Function<ObjectNode, Reply> use) {
        List<String> types = exchange.headers().all("Content-Type");
        if (types.size() != 1 || !JsonBody.isNamedBy(types.getFirst())) {
            throw refusing("The media type must be application/json.");
        }
        try (ByteBudget.Share share = budget.open()) {
            return switch (reader.read(exchange, exchange.declaredLength(), share)) {
                case BodyReader.Read.Whole whole ->
                        use.apply(JsonBody.object(whole.body(), OperatorBodies::refusing));
                case BodyReader.Read.TooLarge large -> throw new Refusing(
                        Problem.BODY_TOO_LARGE, "The body is larger than " + large.limit() + " bytes.");
                case BodyReader.Read.NoRoom _ -> throw new Refusing(
                        Problem.OVERLOADED, "This replica holds as many bytes as it may. Send it again.");
                case BodyReader.Read.Slow _ -> throw BodyReader.slow();
                case BodyReader.Read.Broken broken -> throw refusing(broken.reason());
                case BodyReader.Read.Gone _ -> throw refusing("The body did not come whole.");
            };
        }
    }

    static Refusing refusing(String detail) {
        return new Refusing(Problem.VERDICT_INVALID, detail);
    }
}

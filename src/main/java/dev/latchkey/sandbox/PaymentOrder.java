package dev.latchkey.sandbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a caller asks for with `POST /payments`, read strictly so that a caller can meet a refusal and try the
/// correction. Immutable.
record PaymentOrder(BigDecimal amount, String currency) {

    private static final String HOME_CURRENCY = "EUR";
    private static final int MOST_DIGITS = 34;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,40}(\\.\\d{1,40})?");
    private static final Pattern CURRENCY = Pattern.compile("[A-Za-z]{3}");

    /// @throws Refusal 400 for what is not JSON, 422 for JSON that orders no payment
    static PaymentOrder read(byte[] body) {
        JsonNode order = parse(body);
        if (!order.isObject()) {
            throw new Refusal(422, "Send a JSON object such as {\"amount\": 25.00, \"currency\": \"EUR\"}.");
        }
        return of(order);
    }

    /// What a form asks for, as payment SDKs send it. Null: it has no such pair.
    ///
    /// @throws Refusal 422 for what orders no payment
    static PaymentOrder ofForm(@Nullable String amount, @Nullable String currency) {
        ObjectNode order = JsonNodeFactory.instance.objectNode();
        if (amount != null) {
            order.put("amount", amount);
            if (NUMBER.matcher(amount).matches()) {
                order.put("amount", new BigDecimal(amount));
            }
        }
        return of(order.put("currency", currency));
    }

    private static PaymentOrder of(JsonNode order) {
        return new PaymentOrder(amountIn(order), currencyIn(order));
    }

    private static JsonNode parse(byte[] body) {
        try {
            return Json.read(body);
        } catch (JsonProcessingException e) {
            throw new Refusal(400, "The body is not JSON. Send an object such as {\"amount\": 25.00}.", e);
        } catch (IOException e) {
            throw new Refusal(400, "The body cannot be read as UTF-8 JSON.", e);
        }
    }

    private static BigDecimal amountIn(JsonNode order) {
        JsonNode amount = order.path("amount");
        if (amount.isMissingNode() || amount.isNull()) {
            throw new Refusal(422, "amount is missing. Send a number greater than 0, such as 25.00.");
        }
        if (!amount.isNumber()
                || amount.decimalValue().signum() <= 0
                || amount.decimalValue().precision() > MOST_DIGITS) {
            throw new Refusal(
                    422,
                    "amount must be a JSON number greater than 0 of at most " + MOST_DIGITS
                            + " digits, such as 25.00 (no quotes).");
        }
        return amount.decimalValue();
    }

    private static String currencyIn(JsonNode order) {
        JsonNode currency = order.path("currency");
        if (currency.isMissingNode() || currency.isNull()) {
            return HOME_CURRENCY;
        }
        if (!CURRENCY.matcher(currency.asText()).matches()) {
            throw new Refusal(422, "currency must be three letters, such as EUR; without it " + HOME_CURRENCY + ".");
        }
        return currency.asText().toUpperCase(Locale.ROOT);
    }
}

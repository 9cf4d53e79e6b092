package dev.latchkey.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// What one value of a JSON body gives to a derived key: strings as they are, integers in plain decimal, whatever their
/// spelling (`1e2` is 100), and nothing else.
sealed interface KeyPart {

    record Text(String text) implements KeyPart {}

    record Refused(String reason) implements KeyPart {}

    /// What this value gives.
    ///
    /// @param form the value as `CanonicalJson` writes it
    static KeyPart of(byte[] form) {
        return switch (form[0]) {
            case JsonScanner.STRING -> string(content(form));
            case JsonScanner.NUMBER -> number(content(form));
            case '{', '[', '#' -> new Refused("An object or array stands there; a string or an integer is allowed");
            default -> new Refused("true, false or null stands there; a string or an integer is allowed");
        };
    }

    private static String content(byte[] form) {
        return new String(Arrays.copyOfRange(form, 1, form.length - 1), StandardCharsets.ISO_8859_1);
    }

    private static KeyPart string(String content) {
        if (content.length() > IdempotencyKey.MAX_LENGTH) {
            return new Refused("A string of more than 255 characters stands there; a key has 1 to 255");
        }
        for (int i = 0; i < content.length(); i++) {
            if (!IdempotencyKey.isPrintable(content.charAt(i))) {
                return new Refused("A string stands there in which character " + (i + 1)
                        + " is not printable ASCII (0x20 to 0x7E), which is all that a key may hold");
            }
        }
        return new Text(content);
    }

    private static KeyPart number(String content) {
        int colon = content.indexOf(':');
        String exponent = content.substring(1, colon);
        String digits = content.substring(colon + 1);
        if (exponent.startsWith("-")) {
            return new Refused("A number with a fraction stands there; a string or an integer is allowed");
        }
        if (exponent.length() > 3 || Integer.parseInt(exponent) + digits.length() > IdempotencyKey.MAX_LENGTH) {
            return new Refused("An integer of more than 255 digits stands there; a key has 1 to 255 characters");
        }
        String sign = content.startsWith("-") ? "-" : "";
        return new Text(digits.isEmpty() ? "0" : sign + digits + "0".repeat(Integer.parseInt(exponent)));
    }
}

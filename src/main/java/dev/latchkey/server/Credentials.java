package dev.latchkey.server;

import dev.latchkey.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/// What a request brings to authenticate with (contract §9): `Authorization: Bearer`, either half of `Basic`, or
/// `Latchkey-Token`. Tokens are bytes, as they were sent.
final class Credentials {

    private Credentials() {}

    /// Every token of the request, in no order that means anything.
    static List<byte[]> in(Headers headers) {
        List<byte[]> tokens = new ArrayList<>();
        for (String value : headers.all("Authorization")) {
            int space = value.indexOf(' ');
            if (space > 0) {
                String rest = value.substring(space + 1).strip();
                switch (value.substring(0, space).toLowerCase(Locale.ROOT)) {
                    case "bearer" -> tokens.add(bytes(rest));
                    case "basic" -> addHalves(rest, tokens);
                    default -> {
                    }
                }
            }
        }
        headers.all("Latchkey-Token").forEach(value -> tokens.add(bytes(value.strip())));
        tokens.removeIf(token -> token.length == 0);
        return tokens;
    }

    /// The request without what authenticates here: it is consumed, also where nobody asked for it.
    static Headers strip(Headers headers) {
        return headers.without("Authorization", "Latchkey-Token");
    }

    private static void addHalves(String encoded, List<byte[]> tokens) {
        byte[] pair;
        try {
            pair = Base64.getDecoder().decode(bytes(encoded));
        } catch (IllegalArgumentException _) {
            return;
        }
        int colon = 0;
        while (colon < pair.length && pair[colon] != ':') {
            colon++;
        }
        tokens.add(Arrays.copyOf(pair, colon));
        if (colon < pair.length) {
            tokens.add(Arrays.copyOfRange(pair, colon + 1, pair.length));
        }
    }

    private static byte[] bytes(String value) {
        return value.getBytes(StandardCharsets.ISO_8859_1);
    }
}

package dev.latchkey.e2e;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The clients that every gateway of these tests knows.
enum Client {
    ALICE,
    BOB,
    /// Held to the route `payments`.
    CAROL;

    String token() {
        return Canary.CREDENTIAL + "-" + wireName();
    }

    String wireName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    String digest() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token().getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

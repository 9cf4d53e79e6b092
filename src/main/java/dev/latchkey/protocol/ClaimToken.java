package dev.latchkey.protocol;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/// What the holder of a claim shows to do anything more with it. The attempt id is made from it, so that the token fences as
/// the attempt does, and cannot be read out of the ledger, which keeps the attempt id only. Immutable.
public final class ClaimToken {

    /// Random bytes in a token.
    public static final int BYTES = 24;

    private static final String DOMAIN = "latchkey claim token 1";
    private static final Pattern SPELLING = Pattern.compile("[A-Za-z0-9_-]{32}");

    private final String text;

    private ClaimToken(String text) {
        this.text = text;
    }

    /// A new token.
    ///
    /// @param random 24 bytes that nobody can guess
    public static ClaimToken of(byte[] random) {
        if (random.length != BYTES) {
            throw new IllegalArgumentException("a token is made of " + BYTES + " bytes, not " + random.length);
        }
        return new ClaimToken(Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    /// Reads what a caller sent; empty: it is no token.
    public static Optional<ClaimToken> parse(String text) {
        return SPELLING.matcher(text).matches() ? Optional.of(new ClaimToken(text)) : Optional.empty();
    }

    /// The id of the attempt that holds the claim.
    public long attempt() {
        return ByteBuffer.wrap(new Sha256().text(DOMAIN).text(text).finish()).getLong();
    }

    /// The token itself, for its holder only.
    public String text() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClaimToken token && text.equals(token.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// Never the token: it must not reach a log.
    @Override
    public String toString() {
        return "claim token";
    }
}

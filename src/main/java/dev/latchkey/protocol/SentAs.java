package dev.latchkey.protocol;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/// How a forward presents itself to its downstream: 8 bytes of SHA-256 over URL, key value, header and form. An entry
/// keeps it, and a re-forward or lookup is made only while it is still the same, since a downstream that sees another
/// key cannot deduplicate. Immutable.
public final class SentAs {

    private static final int LENGTH = 8;
    private static final String DOMAIN = "latchkey sent as 1";

    private final byte[] bytes;

    private SentAs(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Digests what the downstream would be sent.
    ///
    /// @param url the downstream's base URL
    /// @param keyValue what is sent as key; empty for none
    /// @param header the field that carries it, in any case
    /// @param form how it is written: bare or quoted
    public static SentAs of(String url, String keyValue, String header, String form) {
        byte[] digest = new Sha256()
                .text(DOMAIN)
                .text(url)
                .text(keyValue)
                .text(header.toLowerCase(Locale.ROOT))
                .text(form)
                .finish();
        return new SentAs(Arrays.copyOf(digest, LENGTH));
    }

    /// What the ledger kept.
    ///
    /// @throws IllegalArgumentException unless there are 8 bytes
    public static SentAs of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("8 bytes say how a forward was sent, not " + bytes.length);
        }
        return new SentAs(bytes.clone());
    }

    /// A copy of the 8 bytes.
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SentAs sentAs && Arrays.equals(bytes, sentAs.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}

package dev.latchkey.protocol;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Names the entry of one client's one key, in paths and in the ledger: the first 16 bytes of a SHA-256 over version,
/// client and key, each after its length in four bytes. It says nothing about the key to one who does not know it.
/// Immutable.
///
/// @param uuid those 16 bytes as they are, without the version and variant bits of RFC 9562
public record EntryId(UUID uuid) {

    private static final byte[] VERSION = {1};
    private static final Pattern TEXT = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    /// Names the entry of this client's key.
    ///
    /// @param client the client's oldest name
    public static EntryId of(String client, IdempotencyKey key) {
        byte[] digest =
                new Sha256().field(VERSION).text(client).text(key.text()).finish();
        ByteBuffer bytes = ByteBuffer.wrap(digest);
        return new EntryId(new UUID(bytes.getLong(), bytes.getLong()));
    }

    /// Reads the 36-character form, in either case; empty for anything else.
    public static Optional<EntryId> parse(String text) {
        return TEXT.matcher(text).matches() ? Optional.of(new EntryId(UUID.fromString(text))) : Optional.empty();
    }

    /// The UUID's text, in lower case.
    @Override
    public String toString() {
        return uuid.toString();
    }
}

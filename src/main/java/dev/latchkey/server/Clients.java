package dev.latchkey.server;

import dev.latchkey.gateway.Caller;
import dev.latchkey.http.Headers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who is known, by the SHA-256 of their tokens. A request that brings several credentials is who the first valid one
/// says. Immutable; safe for any number of threads.
public final class Clients {

    private static final String OPEN = "open";

    private final boolean open;
    private final Map<String, Caller> byDigest;

    private Clients(boolean open, Map<String, Caller> byDigest) {
        this.open = open;
        this.byDigest = Map.copyOf(byDigest);
    }

    /// Every caller is the client `open`.
    public static Clients open() {
        return new Clients(true, Map.of());
    }

    /// Only those who bring a token of one of these.
    ///
    /// @throws IllegalArgumentException for a token that two of them have
    public static Clients of(List<Known> known) {
        Map<String, Caller> byDigest = new HashMap<>();
        for (Known client : known) {
            for (String digest : client.tokenDigests()) {
                Caller other = byDigest.put(digest.toLowerCase(Locale.ROOT), client.caller());
                if (other != null && !other.equals(client.caller())) {
                    throw new IllegalArgumentException(
                            client.caller().name() + " and " + other.name() + " have the same token");
                }
            }
        }
        return new Clients(false, byDigest);
    }

    /// One who may authenticate.
    ///
    /// @param tokenDigests the SHA-256 of each token, in hexadecimal
    public record Known(Caller caller, Set<String> tokenDigests) {}

    /// The name under which the ledger has a client's entries: the oldest, however it is called by now.
    ///
    /// @param name a client's present name, or any other; null: none
    @Nullable
    String inLedger(@Nullable String name) {
        return byDigest.values().stream()
                .filter(caller -> caller.name().equals(name))
                .map(Caller::oldestName)
                .findFirst()
                .orElse(name);
    }

    /// Whether nobody is known: no credential can be valid.
    boolean isEmpty() {
        return !open && byDigest.isEmpty();
    }

    /// Who it is. Looking a digest up tells nothing of a token by its time: nobody can aim at a digest.
    Optional<Caller> authenticate(Headers headers) {
        if (open) {
            return Optional.of(Caller.named(OPEN));
        }
        return Credentials.in(headers).stream()
                .map(token -> byDigest.get(sha256(token)))
                .flatMap(caller -> Optional.ofNullable(caller).stream())
                .findFirst();
    }

    private static String sha256(byte[] token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

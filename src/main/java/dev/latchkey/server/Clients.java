package dev.latchkey.server;

import dev.latchkey.gateway.Caller;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Who is known, by the SHA-256 of their tokens or by an issuer's word. A request that brings several credentials is who the first valid one
/// says. Immutable; safe for any number of threads.
public final class Clients {

    private static final String OPEN = "open";

    private final boolean open;
    private final Map<String, Caller> byDigest;
    private final @Nullable JwtClients byJwt;

    private Clients(boolean open, Map<String, Caller> byDigest, @Nullable JwtClients byJwt) {
        this.open = open;
        this.byDigest = Map.copyOf(byDigest);
        this.byJwt = byJwt;
    }

    /// Every caller is the client `open`.
    public static Clients open() {
        return new Clients(true, Map.of(), null);
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
        return new Clients(false, byDigest, null);
    }

    /// These, and those who come by a JWT.
    public Clients and(JwtClients jwt) {
        return new Clients(open, byDigest, jwt);
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
        Stream<Caller> jwt = byJwt == null ? Stream.empty() : byJwt.listed().values().stream();
        return Stream.concat(byDigest.values().stream(), jwt)
                .filter(caller -> caller.name().equals(name))
                .map(Caller::oldestName)
                .findFirst()
                .orElse(name);
    }

    /// Whether nobody is known: no credential can be valid.
    boolean isEmpty() {
        return !open && byDigest.isEmpty() && (byJwt == null || byJwt.listed().isEmpty());
    }

    /// Who it is. Looking a digest up tells nothing of a token by its time: nobody can aim at a digest.
    ///
    /// @throws Refusing while nobody can say: 401 would read as if the credential were bad, and it may be good
    Optional<Caller> authenticate(Headers headers) {
        if (open) {
            return Optional.of(Caller.named(OPEN));
        }
        List<byte[]> credentials = Credentials.in(headers);
        return credentials.stream()
                .map(token -> byDigest.get(sha256(token)))
                .flatMap(caller -> Optional.ofNullable(caller).stream())
                .findFirst()
                .or(() -> byJwt(credentials));
    }

    private Optional<Caller> byJwt(List<byte[]> credentials) {
        JwtClients jwt = byJwt;
        if (jwt == null) {
            return Optional.empty();
        }
        boolean unclear = false;
        for (byte[] credential : credentials) {
            switch (jwt.of(credential)) {
                case JwtClients.Known.Client(Caller caller) -> {
                    return Optional.of(caller);
                }
                case JwtClients.Known.Unclear _ -> unclear = true;
                case JwtClients.Known.Nobody _ -> {
                }
            }
        }
        if (unclear) {
            throw new Refusing(
                    Problem.OVERLOADED,
                    "Whether this token is good cannot be said yet: its key is not known here, and its issuer's keys cannot"
                            + " be had again at this moment. Nothing was forwarded by this call. Call again with the"
                            + " same key.");
        }
        return Optional.empty();
    }

    private static String sha256(byte[] token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Caller;
import dev.latchkey.issuer.Issuer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Who may come by a JWT. The name of a listed client, or one that it had, is nobody else's: whoever may only show a token
/// of its own is not to be had by a claim that an issuer fills in. Immutable; safe for any number of threads.
///
/// @param issuer checks the tokens
/// @param listed by name, those who may come by a JWT as well
/// @param reserved every present and former name of the list
/// @param others whether a name that is not listed is a client, too
/// @param isName whether a text can be a client's name
public record JwtClients(
        Issuer issuer, Map<String, Caller> listed, Set<String> reserved, boolean others, Predicate<String> isName) {

    public JwtClients {
        listed = Map.copyOf(listed);
        reserved = Set.copyOf(reserved);
    }

    /// What came of a credential.
    sealed interface Known {
        record Client(Caller caller) implements Known {}

        record Nobody() implements Known {}

        /// The issuer's keys cannot be had.
        record Unclear() implements Known {}
    }

    Known of(byte[] credential) {
        String token = new String(credential, StandardCharsets.ISO_8859_1);
        if (!Issuer.looksLikeToken(token)) {
            return new Known.Nobody();
        }
        return switch (issuer.check(token)) {
            case Issuer.Checked.Named(String name) ->
                    named(name).<Known>map(Known.Client::new).orElseGet(Known.Nobody::new);
            case Issuer.Checked.Bad _ -> new Known.Nobody();
            case Issuer.Checked.Unclear _ -> new Known.Unclear();
        };
    }

    private Optional<Caller> named(String name) {
        Caller known = listed.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        return others && !reserved.contains(name) && isName.test(name)
                ? Optional.of(Caller.named(name))
                : Optional.empty();
    }
}

package dev.latchkey.issuer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.latchkey.gateway.Clocks;
import java.text.ParseException;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks the tokens of one issuer, and says whom they name. Safe for any number of threads.
public final class Issuer {

    /// The signatures that may be asked for: with what anybody may read, nobody can make one.
    public static final Set<String> ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    private static final JOSEObjectType ACCESS_TOKEN = new JOSEObjectType("at+jwt");

    private final Terms terms;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    /// What a token must say.
    ///
    /// @param issuer `iss`, to the letter
    /// @param audience one of these must be among `aud`
    /// @param claim whose value names the client
    /// @param algorithms of [#ALGORITHMS]
    /// @param leeway by which the issuer's clock may differ
    public record Terms(
            String issuer, Set<String> audience, String claim, Set<String> algorithms, Duration leeway) {}

    /// What came of a token.
    public sealed interface Checked {
        /// It is good.
        record Named(String name) implements Checked {}

        /// It is not.
        record Bad() implements Checked {}

        /// Nobody can say: its key cannot be had.
        record Unclear() implements Checked {}
    }

    public Issuer(Terms terms, Keys keys, Clocks clocks) {
        this.terms = terms;
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, ACCESS_TOKEN, null));
        processor.setJWSKeySelector((header, _) -> terms.algorithms().contains(header.getAlgorithm().getName())
                ? keys.find(header)
                : List.of());
        processor.setJWTClaimsSetVerifier(claims(terms, clocks));
    }

    private static DefaultJWTClaimsVerifier<SecurityContext> claims(Terms terms, Clocks clocks) {
        DefaultJWTClaimsVerifier<SecurityContext> verifier = new DefaultJWTClaimsVerifier<>(
                terms.audience(), new JWTClaimsSet.Builder().issuer(terms.issuer()).build(),
                Set.of("exp", terms.claim()), null) {
            @Override
            protected Date currentTime() {
                return Date.from(clocks.now());
            }
        };
        verifier.setMaxClockSkew((int) terms.leeway().toSeconds());
        return verifier;
    }

    /// Whether it looks like one: three parts, apart by dots.
    public static boolean looksLikeToken(String text) {
        return text.startsWith("eyJ") && text.chars().filter(c -> c == '.').count() == 2;
    }

    /// Whom the token names.
    public Checked check(String token) {
        try {
            JWT parsed = JWTParser.parse(token);
            return check(parsed);
        } catch (BadJOSEException | JOSEException | ParseException _) {
            return new Checked.Bad();
        } catch (RuntimeException _) {
            // The library's word on tokens that nobody has thought of: what cannot be read names nobody.
            return new Checked.Bad();
        }
    }

    private Checked check(JWT token) throws BadJOSEException, JOSEException, ParseException {
        try {
            processor.process(token, null);
        } catch (KeysAway _) {
            // One that is for somebody else, or over, is bad whatever its key.
            processor.getJWTClaimsSetVerifier().verify(token.getJWTClaimsSet(), null);
            return new Checked.Unclear();
        }
        String name = nameIn(token);
        return name == null ? new Checked.Bad() : new Checked.Named(name);
    }

    /// As it stands in the token: the library makes a text of a subject that is a number.
    private @Nullable String nameIn(JWT token) {
        return token instanceof SignedJWT signed
                && signed.getPayload().toJSONObject().get(terms.claim()) instanceof String name
                        ? name
                        : null;
    }
}

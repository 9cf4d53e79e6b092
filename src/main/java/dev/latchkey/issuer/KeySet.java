package dev.latchkey.issuer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import java.security.PublicKey;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;

/// An issuer's public keys (RFC 7517), RSA and elliptic curves. A secret that issuer and gateway would share is never among
/// them, so no token can be signed by what anybody may read. Immutable.
public final class KeySet {

    private final JWKSet keys;

    private KeySet(JWKSet keys) {
        this.keys = keys;
    }

    /// Reads what an issuer publishes.
    ///
    /// @throws IllegalArgumentException saying what is wrong; the text itself is not shown
    public static KeySet parse(String json) {
        try {
            List<JWK> usable = JWKSet.parse(json).getKeys().stream()
                    .filter(key -> key instanceof RSAKey || key instanceof ECKey)
                    .map(JWK::toPublicJWK)
                    .toList();
            if (usable.isEmpty()) {
                throw new IllegalArgumentException("this JSON Web Key Set holds no public key of RSA or of a curve");
            }
            return new KeySet(new JWKSet(usable));
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    "this is not a JSON Web Key Set; write {\"keys\": […]} as the issuer publishes it", e);
        }
    }

    /// Those that may have signed a token with this header.
    List<PublicKey> find(JWSHeader header) {
        List<PublicKey> found = new ArrayList<>();
        for (JWK key : new JWKSelector(JWKMatcher.forJWSHeader(header)).select(keys)) {
            try {
                found.add(key instanceof RSAKey rsa ? rsa.toRSAPublicKey() : key.toECKey().toECPublicKey());
            } catch (JOSEException _) {
                // A key that makes no sense verifies nothing.
            }
        }
        return found;
    }
}

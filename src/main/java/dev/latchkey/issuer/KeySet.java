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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An issuer's public keys (RFC 7517), RSA and elliptic curves. A secret that issuer and gateway would share is never among
/// them, so no token can be signed by what anybody may read. Immutable.
public final class KeySet {

    private static final int LEAST_BITS = 2048;

    private final JWKSet keys;

    private KeySet(JWKSet keys) {
        this.keys = keys;
    }

    /// Reads what the operator has written down.
    ///
    /// @throws IllegalArgumentException saying what is wrong; the text itself is not shown
    public static KeySet parse(String json) {
        List<String> unfit = new ArrayList<>();
        KeySet read = published(json, unfit::add);
        if (!unfit.isEmpty()) {
            throw new IllegalArgumentException(unfit.getFirst());
        }
        return read;
    }

    /// Reads what an issuer publishes: keys that must not be used are left out.
    ///
    /// @param unfit is told of each of them
    /// @throws IllegalArgumentException saying what is wrong with all; the text itself is not shown
    static KeySet published(String json, Consumer<String> unfit) {
        List<JWK> all = keys(json);
        List<JWK> usable = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            JWK key = all.get(i);
            String complaint = complaint(key);
            if (complaint != null) {
                left.add("key " + (i + 1) + " of this JSON Web Key Set " + complaint);
            } else if (key instanceof RSAKey || key instanceof ECKey) {
                usable.add(key);
            }
        }
        if (usable.isEmpty()) {
            throw new IllegalArgumentException(
                    left.isEmpty()
                            ? "this JSON Web Key Set holds no public key of RSA or of a curve"
                            : left.getFirst());
        }
        left.forEach(unfit);
        return new KeySet(new JWKSet(usable));
    }

    private static List<JWK> keys(String json) {
        try {
            return JWKSet.parse(json).getKeys();
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    "this is not a JSON Web Key Set; write {\"keys\": […]} as the issuer publishes it", e);
        }
    }

    private static @Nullable String complaint(JWK key) {
        if (key.isPrivate()) {
            return "has its secret part beside it: whoever reads it can sign. Write public keys only, without d, p, q, dp,"
                    + " dq, qi, oth or k, and make a new key at the issuer";
        }
        if (key instanceof RSAKey && key.size() < LEAST_BITS) {
            return "is an RSA key of " + key.size() + " bits, which is too short to be trusted; use one of "
                    + LEAST_BITS
                    + " or more";
        }
        return null;
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

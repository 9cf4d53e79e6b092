package dev.latchkey.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.util.function.UnaryOperator;

/// An issuer of JSON Web Tokens, with a key of each kind.
///
/// @param name its `iss`
public record Tokens(String name, ECKey curve, RSAKey rsa) {

    public static final String AUDIENCE = "latchkey";

    /// With new keys.
    public static Tokens of(String name, String keyId) {
        try {
            return new Tokens(
                    name, new ECKeyGenerator(Curve.P_256).keyID(keyId + "-ec").generate(),
                    new RSAKeyGenerator(2048).keyID(keyId + "-rsa").generate());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What it publishes.
    public String keySet() {
        return new JWKSet(java.util.List.of(curve, rsa)).toPublicJWKSet().toString();
    }

    /// Claims of a good token for that subject.
    public JWTClaimsSet.Builder claims(String subject) {
        return new JWTClaimsSet.Builder().issuer(name).audience(AUDIENCE).subject(subject)
                .claim("exp", 4_102_444_800L);
    }

    /// A good one.
    public String token(String subject) {
        return token(claims(subject).build());
    }

    public String token(JWTClaimsSet claims) {
        return signed(JWSAlgorithm.ES256, claims, header -> header);
    }

    /// One that the key of the algorithm's kind has signed.
    public String signed(
            JWSAlgorithm algorithm, JWTClaimsSet claims, UnaryOperator<JWSHeader.Builder> more) {
        boolean onCurve = JWSAlgorithm.Family.EC.contains(algorithm);
        try {
            JWSHeader header = more.apply(new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT)
                    .keyID(onCurve ? curve.getKeyID() : rsa.getKeyID())).build();
            SignedJWT token = new SignedJWT(header, claims);
            if (JWSAlgorithm.Family.HMAC_SHA.contains(algorithm)) {
                // The oldest trick: the public key, which anybody may read, as the secret.
                token.sign(new MACSigner(rsa.toPublicJWK().toJSONString()));
            } else if (onCurve) {
                token.sign(new ECDSASigner(curve));
            } else {
                token.sign(new RSASSASigner(rsa));
            }
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.latchkey.config;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Certificates and private keys as PEM (RFC 7468). Messages never show any of it.
final class Pem {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");
    private static final String BEGIN_KEY = "-----BEGIN PRIVATE KEY-----";
    private static final String END_KEY = "-----END PRIVATE KEY-----";
    private static final String BEGIN_CERTIFICATE = "-----BEGIN CERTIFICATE-----";
    private static final String END_CERTIFICATE = "-----END CERTIFICATE-----";
    private static final String WHOLE = "; copy the whole file, from its first BEGIN line to its last END line";
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN (?:RSA|EC|ENCRYPTED) PRIVATE KEY-----");
    private static final byte[] SIGNED = {1, 2, 3};

    private Pem() {}

    /// @throws IllegalArgumentException saying what is allowed
    static List<X509Certificate> certificates(String text) {
        int begun = count(text, BEGIN_CERTIFICATE);
        if (begun != count(text, END_CERTIFICATE)) {
            throw new IllegalArgumentException("a certificate is cut off: it lacks its BEGIN or its END line" + WHOLE);
        }
        try {
            List<X509Certificate> read = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (!read.isEmpty()) {
                return read;
            }
        } catch (CertificateException e) {
            throw new IllegalArgumentException(begun > 0 ? damaged("a certificate") : notCertificates(), e);
        }
        throw new IllegalArgumentException(notCertificates());
    }

    private static int count(String text, String line) {
        return text.split(line, -1).length - 1;
    }

    private static String damaged(String what) {
        return what + " is damaged: what stands between its BEGIN and its END line is cut off or changed" + WHOLE;
    }

    private static String notCertificates() {
        return "these are no certificates in PEM; write \"${file:PATH}\", a file that begins with"
                + " -----BEGIN CERTIFICATE-----";
    }

    /// @throws IllegalArgumentException saying what is allowed
    static PrivateKey privateKey(String text) {
        if (OTHER_KEY.matcher(text).find()) {
            throw new IllegalArgumentException(
                    "this key is in another form; make it a plain PKCS #8 one: openssl pkcs8 -topk8 -nocrypt");
        }
        if (text.contains(BEGIN_KEY) != text.contains(END_KEY)) {
            throw new IllegalArgumentException("this key is cut off: it lacks its BEGIN or its END line" + WHOLE);
        }
        Matcher found = KEY.matcher(text);
        if (found.find()) {
            byte[] encoded = decoded(found.group(1));
            for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                } catch (InvalidKeySpecException _) {
                    // one of another algorithm
                } catch (GeneralSecurityException e) {
                    throw new IllegalStateException("every Java platform has " + algorithm, e);
                }
            }
            throw new IllegalArgumentException(damaged("this key"));
        }
        throw new IllegalArgumentException(
                "this is no private key in PEM; write \"${file:PATH}\", a file that begins with"
                        + " -----BEGIN PRIVATE KEY-----");
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException _) {
            // Its message would show a character of the key.
            throw new IllegalArgumentException(damaged("this key"));
        }
    }

    /// Whether the key is the certificate's.
    static boolean belong(X509Certificate certificate, PrivateKey key) {
        PublicKey shown = certificate.getPublicKey();
        try {
            Signature signature = Signature.getInstance(switch (key.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                default -> "EdDSA";
            });
            signature.initSign(key);
            signature.update(SIGNED);
            byte[] signed = signature.sign();
            signature.initVerify(shown);
            signature.update(SIGNED);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}

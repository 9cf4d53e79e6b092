package dev.latchkey.config;

import dev.latchkey.tls.TlsParts;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// `tls` of a downstream or a token endpoint, in PEM.
///
/// @param certificate what this side shows, with what is between it and its authority; null: nothing
/// @param key the certificate's
/// @param ca who is trusted; null: whom the Java runtime trusts
public record DownstreamTls(@Nullable SecretText certificate, @Nullable SecretText key, @Nullable SecretText ca) {

    public DownstreamTls {
        Checks checks = new Checks()
                .that(key != null || certificate == null, "key", "this is missing; the certificate needs its key")
                .that(certificate != null || key == null, "certificate",
                        "this is missing; the key needs its certificate")
                .add("certificate", problem(certificate, false))
                .add("key", problem(key, true))
                .add("ca", problem(ca, false));
        checks.done();
        new Checks()
                .that(
                        certificate == null || key == null || belong(certificate.get(), key.get()),
                        "key",
                        "this is not the certificate's key")
                .done();
    }

    /// All of it as it is now, to see whether it has changed.
    public List<String> texts() {
        return Stream.of(certificate, key, ca).map(text -> text == null ? "" : text.get()).toList();
    }

    /// What it comes to now: files are read again where they have changed.
    ///
    /// @throws IllegalArgumentException while they are being replaced: what is there does not fit together
    public TlsParts parts() {
        SecretText shown = certificate;
        SecretText secret = key;
        List<X509Certificate> authorities = ca == null ? List.of() : Pem.certificates(ca.get());
        if (shown == null || secret == null) {
            return new TlsParts(List.of(), null, authorities);
        }
        List<X509Certificate> chain = Pem.certificates(shown.get());
        PrivateKey own = Pem.privateKey(secret.get());
        if (!Pem.belong(chain.getFirst(), own)) {
            throw new IllegalArgumentException("this is not the certificate's key");
        }
        return new TlsParts(chain, own, authorities);
    }

    private static boolean belong(String certificate, String key) {
        return Pem.belong(Pem.certificates(certificate).getFirst(), Pem.privateKey(key));
    }

    private static @Nullable String problem(@Nullable SecretText text, boolean isKey) {
        try {
            if (text != null && isKey) {
                Pem.privateKey(text.get());
            } else if (text != null) {
                Pem.certificates(text.get());
            }
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }
}

package dev.latchkey.config;

import dev.latchkey.tls.TlsParts;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// `listen.tls`, `management.tls`: how a port shows who it is, and whom it asks. Every text may change while the program
/// runs.
///
/// @param certificate PEM: the port's own certificate, then those that lead to a root
/// @param key its private key, PEM
/// @param clientCa certificates that a client's must chain to, PEM; null: none
/// @param clientCertificates whether clients are asked for one
public record TlsSettings(
        SecretText certificate, SecretText key, @Nullable SecretText clientCa,
        ClientCertificates clientCertificates) {

    /// Whether clients are asked for a certificate of their own.
    public enum ClientCertificates {
        /// No.
        NONE,
        /// Yes, and who has none is let in.
        WANTED,
        /// Yes, and who has none is not.
        REQUIRED
    }

    public TlsSettings {
        Checks checks = new Checks()
                .add("certificate", complaint(() -> Pem.certificates(certificate.get())))
                .add("key", complaint(() -> Pem.privateKey(key.get())))
                .that(
                        clientCa != null || clientCertificates == ClientCertificates.NONE,
                        "client-certificates",
                        clientCertificates.name().toLowerCase(Locale.ROOT)
                                + " needs client-ca, a file with what a client's certificate must chain to; write it")
                .that(
                        clientCa == null || clientCertificates != ClientCertificates.NONE,
                        "client-certificates",
                        "client-ca is given, and nobody is asked for a certificate; write wanted or required, or remove"
                                + " client-ca");
        SecretText ca = clientCa;
        if (ca != null) {
            checks.add("client-ca", complaint(() -> Pem.certificates(ca.get())));
        }
        checks.done();
        new Checks().add("key", complaint(() -> pair(certificate.get(), key.get()))).done();
    }

    private static @Nullable String complaint(Runnable parse) {
        try {
            parse.run();
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static void pair(String certificate, String key) {
        if (!Pem.belong(Pem.certificates(certificate).getFirst(), Pem.privateKey(key))) {
            throw new IllegalArgumentException(
                    "this is not the key of the first certificate in certificate; write the pair that was made together");
        }
    }

    /// All of it as it is now, to see whether it has changed.
    public List<String> texts() {
        SecretText ca = clientCa;
        return List.of(certificate.get(), key.get(), ca == null ? "" : ca.get());
    }

    /// What a server makes of it as it is now.
    ///
    /// @throws IllegalArgumentException where it has become unfit, saying why
    public SSLContext context() {
        List<String> now = texts();
        pair(now.get(0), now.get(1));
        return context(now.get(0), now.get(1), clientCa == null ? null : now.get(2));
    }

    /// What a client makes of such files.
    ///
    /// @param trusted certificates that the server's must chain to, PEM; null: what Java trusts
    /// @param certificate its own, PEM; null: it shows none
    /// @param key of that, PEM
    /// @throws IllegalArgumentException where they are unfit, saying why
    public static SSLContext client(
            @Nullable String trusted, @Nullable String certificate, @Nullable String key) {
        if (certificate != null && key != null) {
            pair(certificate, key);
        }
        return context(certificate, key, trusted);
    }

    private static SSLContext context(
            @Nullable String certificate, @Nullable String key, @Nullable String trusted) {
        List<X509Certificate> authorities = trusted == null ? List.of() : Pem.certificates(trusted);
        TlsParts parts = certificate == null || key == null
                ? new TlsParts(List.of(), null, authorities)
                : new TlsParts(Pem.certificates(certificate), Pem.privateKey(key), authorities);
        return parts.context();
    }
}

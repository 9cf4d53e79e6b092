package dev.latchkey.config;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
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

    private static final char[] NO_PASSWORD = new char[0];

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
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    certificate == null || key == null
                            ? null
                            : identity(Pem.certificates(certificate), Pem.privateKey(key)),
                    trusted == null ? null : trust(Pem.certificates(trusted)), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the certificate and its key cannot be used together", e);
        }
    }

    private static KeyManager[] identity(List<X509Certificate> chain, PrivateKey key)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        store.setKeyEntry("key", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(List<X509Certificate> roots) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        for (int i = 0; i < roots.size(); i++) {
            store.setCertificateEntry("root-" + i, roots.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}

package dev.latchkey.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// What one side of a TLS connection shows and trusts.
///
/// @param chain the certificate and what is between it and its authority; empty: it shows nothing
/// @param key the certificate's; null where there is none
/// @param authorities who is trusted; empty: whom the Java runtime trusts
public record TlsParts(List<X509Certificate> chain, @Nullable PrivateKey key, List<X509Certificate> authorities) {

    private static final char[] NO_PASSWORD = {};

    /// What the JDK makes of it.
    ///
    /// @throws IllegalArgumentException where certificate and key cannot be used
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown(), trusted(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the certificate and its key cannot be used together", e);
        }
    }

    private KeyManager @Nullable [] shown() throws GeneralSecurityException, IOException {
        if (key == null) {
            return null;
        }
        KeyStore store = emptyStore();
        store.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private TrustManager @Nullable [] trusted() throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return null;
        }
        KeyStore store = emptyStore();
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("ca-" + i, authorities.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    @Override
    public String toString() {
        return "(hidden)";
    }
}

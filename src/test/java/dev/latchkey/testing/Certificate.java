package dev.latchkey.testing;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate that signed itself, for 127.0.0.1, and its key, as PEM files.
public record Certificate(Path certificate, Path key, KeyStore store) {

    private static final char[] PASSWORD = "changeit".toCharArray();

    /// @param name its subject
    /// @param algorithm `EC` or `RSA`
    public static Certificate make(Path folder, String name, String algorithm) throws Exception {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", name, "-keyalg", algorithm, "-dname", "CN=" + name, "-validity", "2", "-ext",
                "san=ip:127.0.0.1,dns:localhost", "-storetype", "PKCS12", "-storepass", new String(PASSWORD),
                "-keystore", file.toString())
                .inheritIO().start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new Certificate(
                pem(folder.resolve(name + ".crt"), "CERTIFICATE", store.getCertificate(name).getEncoded()),
                pem(folder.resolve(name + ".key"), "PRIVATE KEY", store.getKey(name, PASSWORD).getEncoded()), store);
    }

    private static Path pem(Path file, String label, byte[] encoded) throws Exception {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(encoded);
        return Files.writeString(file, "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n");
    }

    /// A server's side: shows this one and trusts the other.
    public SSLContext trusting(Certificate other) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(store, PASSWORD);
        TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        String alias = other.store.aliases().nextElement();
        trusted.setCertificateEntry(alias, other.store.getCertificate(alias));
        others.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), others.getTrustManagers(), null);
        return context;
    }
}

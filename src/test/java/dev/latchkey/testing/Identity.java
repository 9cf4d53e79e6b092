package dev.latchkey.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/// A certificate that vouches for itself, and its key, as PEM.
///
/// @param certificate good for 127.0.0.1 and localhost
public record Identity(String certificate, String key) {

    private static final String PASSWORD = "changeit";

    /// With a new key; made by the JDK's keytool, which takes a second.
    public static Identity of(Path folder, String name) {
        Path store = folder.resolve(name + ".p12");
        try {
            Process keytool = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-validity", "2",
                    "-ext", "san=ip:127.0.0.1,dns:localhost", "-storetype", "PKCS12", "-storepass", PASSWORD,
                    "-keystore", store.toString()).redirectErrorStream(true).start();
            String said = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            return new Identity(
                    pem("CERTIFICATE", keys.getCertificate(name).getEncoded()),
                    pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + kind + "-----\n";
    }

    /// Puts both into files.
    public void write(Path certificateFile, Path keyFile) throws IOException {
        Files.writeString(certificateFile, certificate);
        Files.writeString(keyFile, key);
    }
}

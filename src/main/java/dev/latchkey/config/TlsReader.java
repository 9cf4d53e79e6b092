package dev.latchkey.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads `listen.tls` and `management.tls`.
final class TlsReader {

    private static final String PEM = "-----BEGIN ";

    private TlsReader() {}

    /// Null where it has problems.
    static @Nullable TlsSettings read(Section section) {
        SecretText certificate = pem(section, "certificate", "write the file with the port's certificate, in PEM");
        SecretText key = pem(section, "key", "write the file with the certificate's private key, in PEM");
        SecretText clientCa = section.has("client-ca") ? pem(section, "client-ca", "") : null;
        TlsSettings.ClientCertificates asked = section.choice(
                "client-certificates",
                clientCa == null ? TlsSettings.ClientCertificates.NONE : TlsSettings.ClientCertificates.REQUIRED);
        return section.<@Nullable TlsSettings>checked(
                () -> certificate == null || key == null
                        ? null
                        : new TlsSettings(certificate, key, clientCa, asked),
                () -> null);
    }

    /// The text itself, as `${file:PATH}` gives it, or the path of a file with it.
    private static @Nullable SecretText pem(Section section, String name, String hint) {
        if (!section.has(name)) {
            section.problem(name, "this is missing; " + hint);
            return null;
        }
        SecretText written = section.secret(name);
        if (written == null || written.get().contains(PEM)) {
            return written;
        }
        return section.<@Nullable SecretText>read(name, null, TlsReader::file);
    }

    private static SecretText file(String path) {
        return SecretText.of(List.of(new SecretText.FromFile(SecretFile.at(path))));
    }
}

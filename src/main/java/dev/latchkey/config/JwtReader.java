package dev.latchkey.config;

import dev.latchkey.issuer.Issuer;
import dev.latchkey.issuer.KeySet;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads `jwt`.
final class JwtReader {

    private final Section section;

    JwtReader(Section section) {
        this.section = section;
    }

    /// Null where it has problems.
    @Nullable
    JwtSettings read() {
        String issuer = section.required(
                "issuer", "issuer", text -> text, "write the iss of the issuer's tokens, to the letter");
        Set<String> audience = new HashSet<>(
                section.isText("audience") ? List.of(section.text("audience", "")) : section.texts("audience"));
        JwtSettings.KeyPlace keys = keys();
        String claim = section.text("claim", JwtSettings.CLAIM);
        Set<String> algorithms = section.has("algorithms")
                ? new HashSet<>(section.texts("algorithms"))
                : Issuer.ALGORITHMS;
        Duration leeway = section.read("leeway", JwtSettings.LEEWAY, Values::duration);
        boolean listedOnly = section.read("listed-only", false, Values::flag);
        return section.<@Nullable JwtSettings>checked(
                () -> keys == null
                        ? null
                        : new JwtSettings(issuer, audience, keys, claim, algorithms, leeway, listedOnly),
                () -> null);
    }

    private JwtSettings.@Nullable KeyPlace keys() {
        URI url = section.<@Nullable URI>read("jwks-url", null, BaseUrl::parse);
        SecretText file = section.<@Nullable SecretText>read("jwks-file", null, JwtReader::file);
        if (section.has("jwks-url") == section.has("jwks-file")) {
            section.problem(
                    "",
                    "write where the issuer's keys are: jwks-url (https://ISSUER/…), or jwks-file, and not both");
            return null;
        }
        return url != null
                ? new JwtSettings.KeyPlace.Published(url)
                : file == null ? null : new JwtSettings.KeyPlace.InFile(file);
    }

    private static SecretText file(String path) {
        SecretText text = SecretText.of(List.of(new SecretText.FromFile(SecretFile.at(path))));
        KeySet.parse(text.get());
        return text.onlyIf(JwtReader::isKeySet);
    }

    private static boolean isKeySet(String text) {
        try {
            KeySet.parse(text);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}

package dev.latchkey.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `proxy` of a downstream or a token endpoint: an HTTP proxy on the way out.
///
/// @param user null: it asks for none
/// @param password the user's
public record ProxySettings(String host, int port, @Nullable SecretText user, @Nullable SecretText password) {

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]+");

    public ProxySettings {
        new Checks()
                .that(
                        HOST.matcher(host).matches(),
                        "host",
                        Quoted.of(host) + " is not a host; write a name or an address, without http:// and port")
                .between(port, 1, 65_535, "port")
                .that(
                        user == null || !user.get().contains(":"),
                        "user",
                        "a colon cannot stand in a user name here")
                .that(password == null || user != null, "user", "this is missing; the password needs its user")
                .done();
    }
}

package dev.latchkey.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Who may call.
public sealed interface Clients {

    /// How many clients may use the route of that name.
    long usersOf(String route);

    /// Everybody, as the one client `open`.
    ///
    /// @param said whether the settings say so; if they only keep silent, a loopback address is all that may be bound
    record Open(boolean said) implements Clients {

        /// The client that every caller is.
        public static final String NAME = "open";

        @Override
        public long usersOf(String route) {
            return 1;
        }
    }

    /// Those who show a token of one of these, or a JWT.
    ///
    /// @param clients no name, former name or token belongs to two
    /// @param others whether an issuer of JWTs may name clients that are not among them; if not, one is, at least
    record Listed(List<ClientSettings> clients, boolean others) implements Clients {

        public Listed {
            clients = List.copyOf(clients);
            Checks checks = new Checks()
                    .that(
                            !clients.isEmpty() || others,
                            "",
                            "an empty list lets nobody in; name a client, or write open to let everybody in");
            checkNames(clients, checks);
            checkTokens(clients, "", checks);
            checks.done();
        }

        @Override
        public long usersOf(String route) {
            return others
                    ? Long.MAX_VALUE
                    : clients.stream().filter(client -> client.mayUse(route)).count();
        }

        private static void checkNames(List<ClientSettings> clients, Checks checks) {
            Map<String, Integer> owners = new HashMap<>();
            for (int i = 0; i < clients.size(); i++) {
                Integer other = owners.putIfAbsent(clients.get(i).name(), i);
                checks.that(
                        other == null,
                        "[" + i + "].name",
                        Quoted.of(clients.get(i).name())
                                + " is the name of another client, too; a name belongs to one");
            }
            for (int i = 0; i < clients.size(); i++) {
                for (String former : clients.get(i).formerly()) {
                    Integer other = owners.putIfAbsent(former, i);
                    checks.that(
                            other == null,
                            "[" + i + "].formerly",
                            Quoted.of(former) + (other != null && other == i
                                    ? " is its own name or given twice; list former names once each"
                                    : " is or was the name of another client; a name belongs to one"));
                }
            }
        }

        static void checkTokens(List<ClientSettings> clients, String list, Checks checks) {
            Map<String, Integer> owners = new HashMap<>();
            for (int i = 0; i < clients.size(); i++) {
                for (String digest : clients.get(i).tokensSha256()) {
                    Integer other = owners.putIfAbsent(digest, i);
                    checks.that(
                            other == null || other == i,
                            list + "[" + i + "]",
                            "one of its tokens is also that of " + (other == null ? "" : clients.get(other).name())
                                    + "; a token belongs to one");
                }
            }
        }
    }
}

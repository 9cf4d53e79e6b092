package dev.latchkey.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What a server is told before it works for us: once in a session that is ours alone, or in each transaction behind a
/// pooler, where the next transaction may run in another session, and somebody else's in this one. Immutable.
///
/// @param each in their order; of two with one name the later holds
record ServerSettings(List<Setting> each) {

    static final ServerSettings NONE = new ServerSettings(List.of());

    ServerSettings {
        each = List.copyOf(each);
    }

    /// One setting.
    ///
    /// @param value an expression of SQL
    record Setting(String name, String value) {}

    /// With one more.
    ServerSettings and(String name, String value) {
        return andExpression(name, "'" + value + "'");
    }

    /// With one more, whose value the server works out.
    ServerSettings andExpression(String name, String expression) {
        List<Setting> more = new ArrayList<>(each);
        more.add(new Setting(name, expression));
        return new ServerSettings(more);
    }

    /// With all of these.
    ServerSettings and(ServerSettings others) {
        List<Setting> more = new ArrayList<>(each);
        more.addAll(others.each);
        return new ServerSettings(more);
    }

    boolean isEmpty() {
        return each.isEmpty();
    }

    /// A statement that sets all of them for the rest of the session, and tells their values.
    String forSession() {
        return select(false);
    }

    /// The same for the rest of the transaction.
    String forTransaction() {
        return select(true);
    }

    private String select(boolean local) {
        return each.stream()
                .map(one -> "set_config('" + one.name() + "', " + one.value() + ", " + local + ")")
                .collect(Collectors.joining(", ", "select ", ""));
    }
}

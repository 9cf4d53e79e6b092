package dev.latchkey.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;

/// Settings written in a test.
final class SettingsText {

    /// The shortest file that holds a route.
    static final String ONE_ROUTE = """
            ledger: { data-dir: data }
            routes:
              - name: payments
                prefix: /payments
                downstream:
                  url: https://payments.internal
            """;

    private SettingsText() {}

    static Settings read(String yaml) throws SettingsException {
        return read(yaml, Map.of());
    }

    static Settings read(String yaml, Map<String, String> environment) throws SettingsException {
        return new SettingsLoader(environment::get).read("latchkey.yaml", yaml);
    }

    static RouteSettings route(String yaml) throws SettingsException {
        return read(yaml).routes().getFirst();
    }

    /// One route with more settings, each on a line of its own from line 7 on.
    static String routeWith(String... lines) {
        return ONE_ROUTE + "    " + String.join("\n    ", lines) + "\n";
    }

    /// One route with more of `downstream`, from line 7 on.
    static String downstreamWith(String... lines) {
        return ONE_ROUTE + "      " + String.join("\n      ", lines) + "\n";
    }

    /// Every problem as a line.
    static List<String> problems(String yaml) {
        return problems(yaml, Map.of());
    }

    static List<String> problems(String yaml, Map<String, String> environment) {
        SettingsException thrown = catchThrowableOfType(SettingsException.class, () -> read(yaml, environment));
        return thrown == null
                ? List.of()
                : thrown.problems().stream().map(Problem::toString).toList();
    }
}

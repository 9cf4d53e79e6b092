package dev.latchkey.cli;

import java.io.Console;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How this process writes its logs: `LATCHKEY_LOG=text` or `json`; else as text on a terminal and for the quick start,
/// and as JSON, one object a line, everywhere else. To be made before anything is logged.
public final class LogChoice {

    private static final String VARIABLE = "LATCHKEY_LOG";

    /// Read by `logback.xml`.
    private static final String PROPERTY = "latchkey.log.encoder";

    private LogChoice() {}

    /// Chooses for this process.
    public static void make(String... args) {
        boolean terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
        boolean forPeople = terminal || (args.length > 0 && args[0].equals("demo"));
        System.setProperty(PROPERTY, encoder(System::getenv, forPeople).getName());
    }

    static Class<?> encoder(Function<String, @Nullable String> environment, boolean forPeople) {
        String wish = environment.apply(VARIABLE);
        boolean text = (wish == null || wish.isEmpty()) ? forPeople : wish.equals("text");
        return text ? LogText.class : LogJson.class;
    }
}

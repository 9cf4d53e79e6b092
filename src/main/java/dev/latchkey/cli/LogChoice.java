package dev.latchkey.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import java.io.Console;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How this process writes its logs: `LATCHKEY_LOG=text` or `json`; else as text on a terminal and for the quick start,
/// and as JSON, one object a line, everywhere else. To be made before anything is logged.
public final class LogChoice {

    private static final String VARIABLE = "LATCHKEY_LOG";

    private static volatile @Nullable Boolean asText;

    private LogChoice() {}

    /// Chooses for this process.
    public static void make(String... args) {
        boolean terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
        boolean forPeople = terminal || (args.length > 0 && args[0].equals("demo"));
        asText = isText(System::getenv, forPeople);
    }

    /// What writes each line; null: nothing was chosen.
    static @Nullable Encoder<ILoggingEvent> made() {
        Boolean text = asText;
        if (text == null) {
            return null;
        }
        return text ? new LogText() : new LogJson();
    }

    static boolean isText(Function<String, @Nullable String> environment, boolean forPeople) {
        String wish = environment.apply(VARIABLE);
        return (wish == null || wish.isEmpty()) ? forPeople : wish.equals("text");
    }
}

package dev.latchkey;

import dev.latchkey.cli.Cli;
import dev.latchkey.cli.LogChoice;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.LogQueue;
import java.time.Duration;

/// Where the program begins: gives the commands what they start, and the process its exit status.
public final class Main {

    private static final int FAILED = 1;
    private static final Duration LAST_LINES = Duration.ofSeconds(2);

    private Main() {}

    public static void main(String[] args) {
        // Nothing here is written in anybody's language, and Jetty lists all that Java knows: 150 ms of a start.
        System.setProperty("java.locale.providers", "SPI");
        LogChoice.make(args);
        // However it ends, but for a kill: what was said last is what somebody will look for.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LogQueue.flush(LAST_LINES)));
        System.exit(status(args));
    }

    private static int status(String... args) {
        try {
            return Cli.of(new Parts()).run(args);
        } catch (Error e) {
            // This thread alone would end: others hold the process, which would stand half started.
            Log.of(Main.class).failure(LogEvent.FAILED, e);
            return FAILED;
        }
    }
}

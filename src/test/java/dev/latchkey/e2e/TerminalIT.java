package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The log is text where a person looks at a terminal, and one JSON object a line everywhere else.
@EndToEnd
final class TerminalIT {

    private final World world;

    TerminalIT(World world) {
        this.world = world;
    }

    @Test
    void logIsTextOnATerminal() throws IOException, InterruptedException {
        Tool.needed("script", "Debian's bsdutils");
        Path settings = Files.writeString(world.folder().resolve("terminal.yaml"), world.settings());
        Path screen = world.folder().resolve("screen.txt");
        String command = String.join(" ", Tool.java(), String.join(" ", Program.brief()), "-jar",
                StartCache.jar().toString(), "serve --config", settings.toString());
        ProcessBuilder builder = new ProcessBuilder("script", "-qefc", command, screen.toString());
        List.of("LATCHKEY_LOG", "LATCHKEY_CONFIG", "JAVA_TOOL_OPTIONS").forEach(builder.environment()::remove);
        Process terminal = builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            await().until(() -> Files.exists(screen) && Files.readString(screen).contains("Ready"));
            assertThat(Files.readString(screen)).doesNotContain("{\"");
        } finally {
            terminal.descendants().forEach(ProcessHandle::destroy);
            terminal.waitFor();
        }
    }

    @Test
    void logIsJsonElsewhere() {
        String ready = world.gateway().program().awaitLine(line -> line.contains("\"ready\""));
        assertThat(ready).startsWith("{\"").endsWith("}");
    }
}

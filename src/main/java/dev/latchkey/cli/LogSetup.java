package dev.latchkey.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.latchkey.telemetry.LogQueue;
import java.util.Map;

/// Sets the log up as [LogChoice] has chosen; Logback finds it as a service. As XML it would cost every start a tenth of a
/// second to read. Where nothing was chosen, as in tests, or the user names a file of Logback's, it stands back.
@ConfiguratorRank(ConfiguratorRank.CUSTOM_NORMAL_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {

    private static final String FILE = "logback.configurationFile";

    private static final Map<String, Level> OF_OTHERS = Map.of(
            // Its warnings quote header fields.
            "org.eclipse.jetty", Level.ERROR,
            "io.javalin", Level.WARN,
            // That it did not start the command says better, and what failed TellingRouter, which quotes nothing.
            "io.javalin.Javalin", Level.OFF,
            "org.flywaydb", Level.WARN,
            // It warns of each connection that cannot be made; that the ledger is lost is said once.
            "com.zaxxer.hikari", Level.ERROR,
            "io.zonky.test", Level.WARN,
            // Its wire log would hold bodies and credentials.
            "org.postgresql", Level.WARN);

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Encoder<ILoggingEvent> encoder = LogChoice.made();
        if (encoder == null || System.getProperty(FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        LogQueue queue = new LogQueue();
        queue.setName("console");
        queue.setContext(context);
        queue.setEncoder(encoder);
        queue.start();
        OF_OTHERS.forEach((name, level) -> context.getLogger(name).setLevel(level));
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(queue);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}

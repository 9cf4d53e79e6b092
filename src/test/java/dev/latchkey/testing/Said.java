package dev.latchkey.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/// What a class says in the log while a test runs; registered as an extension by a field.
public final class Said implements BeforeEachCallback, AfterEachCallback {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private Said(Class<?> by) {
        this.logger = (Logger) LoggerFactory.getLogger(by);
    }

    public static Said by(Class<?> owner) {
        return new Said(owner);
    }

    /// So far; grows, and may be emptied.
    public List<ILoggingEvent> lines() {
        return lines.list;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        lines.start();
        logger.addAppender(lines);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        logger.detachAppender(lines);
    }
}

package dev.latchkey.telemetry;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/// Writes events with their fields. Callers give no key, body, target or credential; what they give cannot break a line,
/// and of a failure only its kind and the place in our own code are written, for a message may quote anything. Safe for
/// any number of threads.
public final class Log {

    private static final int FRAMES = 6;

    private final Logger logger;

    private Log(Logger logger) {
        this.logger = logger;
    }

    /// The log of one class.
    public static Log of(Class<?> owner) {
        return new Log(LoggerFactory.getLogger(owner));
    }

    /// From now on, lines of the gateway that matter less are not written.
    ///
    /// @param name `INFO`, `WARN` or `ERROR`
    public static void level(String name) {
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("dev.latchkey"))
                .setLevel(ch.qos.logback.classic.Level.valueOf(name));
    }

    /// Writes an event that is part of the normal course.
    ///
    /// @param fields names and values in turn; a null value is left out
    public void info(LogEvent event, @Nullable Object... fields) {
        write(Level.INFO, event, fields);
    }

    /// Writes an event that somebody should look at.
    ///
    /// @param fields names and values in turn; a null value is left out
    public void warn(LogEvent event, @Nullable Object... fields) {
        write(Level.WARN, event, fields);
    }

    /// Writes an event that names what failed, and where in our code.
    ///
    /// @param fields names and values in turn; a null value is left out
    public void failure(LogEvent event, Throwable failure, @Nullable Object... fields) {
        @Nullable
        Object[] all = Arrays.copyOf(fields, fields.length + 4);
        all[fields.length] = "failure";
        all[fields.length + 1] = kinds(failure);
        all[fields.length + 2] = "at";
        all[fields.length + 3] = places(failure);
        write(Level.ERROR, event, all);
    }

    private void write(Level level, LogEvent event, @Nullable Object... fields) {
        if (!logger.isEnabledForLevel(level)) {
            return;
        }
        LoggingEventBuilder line = logger.atLevel(level).addKeyValue("event", event.wireName());
        for (int i = 0; i + 1 < fields.length; i += 2) {
            Object value = fields[i + 1];
            if (value != null) {
                line = line.addKeyValue(String.valueOf(fields[i]), harmless(value));
            }
        }
        line.log(event.sentence());
    }

    private static Object harmless(Object value) {
        return value instanceof Number || value instanceof Boolean ? value : oneLine(value.toString());
    }

    /// The text with everything but printable ASCII escaped, so that it can neither end a line nor steer a terminal.
    static String oneLine(String text) {
        int at = 0;
        while (at < text.length() && text.charAt(at) >= 0x20 && text.charAt(at) < 0x7F) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        return text.chars()
                .mapToObj(c -> c >= 0x20 && c < 0x7F ? String.valueOf((char) c) : String.format("\\u%04x", c))
                .collect(Collectors.joining());
    }

    private static String kinds(Throwable failure) {
        StringBuilder kinds = new StringBuilder(failure.getClass().getName());
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < 4; depth++) {
            kinds.append(" < ").append(cause.getClass().getName());
            cause = cause.getCause();
        }
        return kinds.toString();
    }

    private static String places(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("dev.latchkey."))
                .limit(FRAMES)
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .collect(Collectors.joining(" "));
    }
}

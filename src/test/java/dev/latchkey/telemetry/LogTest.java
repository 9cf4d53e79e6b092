package dev.latchkey.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class LogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(LogTest.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Log log = Log.of(LogTest.class);

    @BeforeEach
    void listen() {
        logger.setAdditive(false);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
    }

    @Test
    void anEventHasItsNameAndItsFields() {
        log.info(LogEvent.LATE_RESPONSE, "route", "payments", "status", 201, "cause", null);
        assertThat(lines.list).singleElement().satisfies(line -> assertThat(line.getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .containsExactly("event=late-response", "route=payments", "status=201"));
    }

    @Test
    void aValueCannotBreakALine() {
        log.warn(LogEvent.DOUBT, "client", "a\r\nb\u001b[31m\u2028");
        assertThat(lines.list.getFirst().getKeyValuePairs())
                .extracting((KeyValuePair pair) -> pair.value)
                .contains("a\\u000d\\u000ab\\u001b[31m\\u2028");
    }

    @Test
    void aFailureIsNamedWithoutItsMessage() {
        log.failure(LogEvent.FAILED, new IllegalStateException("secret-1", new RuntimeException("secret-2")));
        ILoggingEvent line = lines.list.getFirst();
        assertThat(line.getThrowableProxy()).isNull();
        assertThat(line.getKeyValuePairs().toString() + line.getFormattedMessage())
                .contains("java.lang.IllegalStateException < java.lang.RuntimeException")
                .contains("LogTest.java:")
                .doesNotContain("secret");
    }
}

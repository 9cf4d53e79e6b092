package dev.latchkey.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.latchkey.testing.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class LogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(LogTest.class);
    private final Log log = Log.of(LogTest.class);

    @RegisterExtension
    private final Said said = Said.by(LogTest.class);

    @BeforeEach
    void beQuiet() {
        logger.setAdditive(false);
    }

    @AfterEach
    void beHeard() {
        logger.setAdditive(true);
    }

    @Test
    void anEventHasItsNameAndItsFields() {
        log.info(LogEvent.LATE_RESPONSE, "route", "payments", "status", 201, "cause", null);
        assertThat(said.lines()).singleElement().satisfies(line -> assertThat(line.getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .containsExactly("event=late-response", "route=payments", "status=201"));
    }

    @Test
    void aValueCannotBreakALine() {
        log.warn(LogEvent.DOUBT, "client", "a\r\nb\u001b[31m\u2028");
        assertThat(said.lines().getFirst().getKeyValuePairs())
                .extracting((KeyValuePair pair) -> pair.value)
                .contains("a\\u000d\\u000ab\\u001b[31m\\u2028");
    }

    @Test
    void aFailureIsNamedWithoutItsMessage() {
        log.failure(LogEvent.FAILED, new IllegalStateException("secret-1", new RuntimeException("secret-2")));
        ILoggingEvent line = said.lines().getFirst();
        assertThat(line.getThrowableProxy()).isNull();
        assertThat(line.getKeyValuePairs().toString() + line.getFormattedMessage())
                .contains("java.lang.IllegalStateException < java.lang.RuntimeException")
                .contains("LogTest.java:")
                .doesNotContain("secret");
    }
}

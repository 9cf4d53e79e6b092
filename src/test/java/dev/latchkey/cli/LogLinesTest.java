package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/// Lines of the log, whatever is thrown at them.
class LogLinesTest {

    private static final String HOSTILE = "a\nFATAL forged\r\u001b[31m\u2028\u202e end";

    @Test
    void textIsOneLine() {
        String line = write(new LogText(), event(HOSTILE, null));
        assertThat(line).endsWith(System.lineSeparator());
        assertThat(line.strip())
                .contains(" INFO a\\u000aFATAL forged\\u000d\\u001b[31m\\u2028\\u202e end field=b\\u000ac")
                .doesNotContain("\n", "\r", "\u001b");
    }

    @Test
    void jsonIsOneLineAndWellFormed() throws Exception {
        String line = write(new LogJson(), event(HOSTILE, null));
        assertThat(line.strip()).doesNotContain("\n", "\r", "\u001b");
        JsonNode json = new ObjectMapper().readTree(line);
        assertThat(json.get("message").asText()).isEqualTo(HOSTILE);
        assertThat(json.get("level").asText()).isEqualTo("INFO");
        assertThat(json.get("field").asText()).isEqualTo("b\nc");
        assertThat(json.get("number").isNumber()).isTrue();
    }

    @Test
    void aFailureIsItsKindsAndPlacesWithoutMessagesOrFrames() throws Exception {
        Throwable failure = new IllegalStateException("canary", new IllegalArgumentException("canary"));
        String text = write(new LogText(), event("said", failure));
        String json = write(new LogJson(), event("said", failure));
        for (String line : new String[] {text, json}) {
            assertThat(line.strip())
                    .contains(
                            "java.lang.IllegalStateException(LogLinesTest.java:",
                            " by java.lang.IllegalArgumentException(LogLinesTest.java:")
                    .doesNotContain("canary", "\n", "\tat");
        }
        assertThat(new ObjectMapper().readTree(json).get("failure").asText()).startsWith("java.lang.Illegal");
    }

    @Test
    void theEnvironmentChoosesAndElseTheTerminal() {
        assertThat(LogChoice.isText(Map.of("LATCHKEY_LOG", "text")::get, false)).isTrue();
        assertThat(LogChoice.isText(Map.of("LATCHKEY_LOG", "json")::get, true)).isFalse();
        assertThat(LogChoice.isText(name -> null, true)).isTrue();
        assertThat(LogChoice.isText(name -> null, false)).isFalse();
    }

    private static LoggingEvent event(String message, @Nullable Throwable failure) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        LoggingEvent event =
                new LoggingEvent("", context.getLogger("dev.latchkey"), Level.INFO, message, failure, new Object[0]);
        event.addKeyValuePair(new KeyValuePair("field", "b\nc"));
        event.addKeyValuePair(new KeyValuePair("number", 7L));
        return event;
    }

    private static String write(Encoder<ILoggingEvent> encoder, ILoggingEvent event) {
        encoder.start();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}

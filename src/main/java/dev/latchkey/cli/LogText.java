package dev.latchkey.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import org.slf4j.event.KeyValuePair;

/// One line of text for each event, whatever is in it: control characters are escaped, and of a failure only its kinds
/// and places are written.
public final class LogText extends EncoderBase<ILoggingEvent> {

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder()
                .append(event.getInstant().truncatedTo(ChronoUnit.MILLIS))
                .append(' ')
                .append(event.getLevel())
                .append(' ')
                .append(event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                line.append(' ').append(pair.key).append('=').append(pair.value);
            }
        }
        if (event.getThrowableProxy() != null) {
            line.append(" failure=").append(FailureText.of(event.getThrowableProxy()));
        }
        return (oneLine(line) + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    private static String oneLine(CharSequence text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean plain = !Character.isISOControl(c)
                    && type != Character.FORMAT
                    && type != Character.LINE_SEPARATOR
                    && type != Character.PARAGRAPH_SEPARATOR;
            line.append(plain ? Character.toString(c) : String.format("\\u%04x", c));
        });
        return line.toString();
    }
}

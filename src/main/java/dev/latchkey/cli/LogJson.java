package dev.latchkey.cli;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;

/// One JSON object for each event, on a line of its own. Of a failure only its kinds and places are written.
public final class LogJson extends JsonEncoder {

    public LogJson() {
        setWithContext(false);
        setWithSequenceNumber(false);
        setWithNanoseconds(false);
        setWithMessage(false);
        setWithFormattedMessage(true);
        setWithArguments(false);
        setWithThrowable(false);
    }

    @Override
    protected void appendCustomFields(StringBuilder line, ILoggingEvent event) {
        if (event.getThrowableProxy() != null) {
            appendValueSeparator(line, true);
            appenderMember(line, "failure", FailureText.of(event.getThrowableProxy()));
        }
    }
}

package dev.latchkey.cli;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import org.jspecify.annotations.Nullable;

/// A failure in one line: the kind of it and of each cause, and where each was thrown. No message: it may quote a key, a
/// body or a credential.
final class FailureText {

    private static final int CAUSES = 6;

    private FailureText() {}

    static String of(IThrowableProxy failure) {
        StringBuilder text = new StringBuilder();
        @Nullable
        IThrowableProxy at = failure;
        for (int i = 0; at != null && i < CAUSES; i++) {
            text.append(i == 0 ? "" : " by ").append(at.getClassName());
            StackTraceElementProxy[] frames = at.getStackTraceElementProxyArray();
            if (frames != null && frames.length > 0) {
                StackTraceElement frame = frames[0].getStackTraceElement();
                text.append('(')
                        .append(frame.getFileName())
                        .append(':')
                        .append(frame.getLineNumber())
                        .append(')');
            }
            at = at.getCause();
        }
        return text.toString();
    }
}

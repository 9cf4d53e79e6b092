package dev.latchkey.telemetry;

import org.jspecify.annotations.Nullable;

/// A caller's place in its trace: the field `traceparent` of W3C Trace Context. Immutable.
///
/// @param trace 32 hexadecimal digits
/// @param span 16 of them
/// @param flags two of them
record TraceParent(String trace, String span, String flags) {

    private static final int LENGTH = 55;

    /// Reads the field; null where it is none that may be continued.
    static @Nullable TraceParent parse(@Nullable String text) {
        if (text == null || text.length() < LENGTH || !isShaped(text)) {
            return null;
        }
        String version = text.substring(0, 2);
        boolean whole = text.length() == LENGTH || (text.charAt(LENGTH) == '-' && !version.equals("00"));
        TraceParent parent = new TraceParent(text.substring(3, 35), text.substring(36, 52), text.substring(53, LENGTH));
        return whole && !version.equals("ff") && hasDigit(parent.trace()) && hasDigit(parent.span()) ? parent : null;
    }

    private static boolean isShaped(String text) {
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            boolean dash = i == 2 || i == 35 || i == 52;
            if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasDigit(String digits) {
        return digits.chars().anyMatch(digit -> digit != '0');
    }
}

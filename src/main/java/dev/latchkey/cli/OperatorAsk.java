package dev.latchkey.cli;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is typed, as the operator API takes it.
final class OperatorAsk {

    private OperatorAsk() {}

    static void put(Map<String, String> query, String name, @Nullable String value) {
        if (value != null) {
            query.put(name, value);
        }
    }

    static String entryId(String text, OperatorOption gateway) {
        if (!text.matches("[0-9A-Fa-f-]{36}")) {
            throw gateway.wrong("ENTRY-ID is 36 characters, as in the column ENTRY of latchkey entries.");
        }
        return text.toLowerCase(Locale.ROOT);
    }
}

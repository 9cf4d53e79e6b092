package dev.latchkey.cli;

import com.fasterxml.jackson.databind.JsonNode;

/// One entry and its history, for people.
final class EntryText {

    private EntryText() {}

    static String of(JsonNode entry) {
        StringBuilder text = new StringBuilder();
        entry.properties().forEach(member -> {
            if (!member.getValue().isContainerNode()) {
                text.append(String.format(
                        "%-18s %s%n", member.getKey(), Table.printable(value(member.getValue()))));
            }
        });
        Table history = new Table("AT", "WHAT", "BY", "STATUS", "WHY");
        entry.path("history").forEach(event -> history.add(
                event.path("at").asText(), event.path("kind").asText(), value(event.path("by")),
                value(event.path("status")), value(event.path("cause"))));
        return text + System.lineSeparator() + history;
    }

    static String value(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? "-" : value.asText();
    }
}

package dev.latchkey.cli;

import com.fasterxml.jackson.databind.JsonNode;

/// One entry and its history, for people.
final class EntryText {

    private EntryText() {}

    static String of(JsonNode entry) {
        Table history = new Table("AT", "WHAT", "BY", "STATUS", "WHY");
        entry.path("history").forEach(event -> history.add(
                event.path("at").asText(), event.path("kind").asText(), value(event.path("by")),
                value(event.path("status")), value(event.path("cause"))));
        return members(entry) + System.lineSeparator() + history;
    }

    /// A line for each member that is one value.
    static String members(JsonNode object) {
        StringBuilder text = new StringBuilder();
        object.properties().forEach(member -> {
            if (!member.getValue().isContainerNode()) {
                text.append(String.format(
                        "%-18s %s%n", member.getKey(), Table.printable(value(member.getValue()))));
            }
        });
        return text.toString();
    }

    static String value(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? "-" : value.asText();
    }
}

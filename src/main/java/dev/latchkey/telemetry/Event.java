package dev.latchkey.telemetry;

/// What is counted by route alone. Each of them is worth a look by a person.
public enum Event {
    /// A genuine response came for an attempt that no longer had its key (G18).
    LATE_RESPONSE("latchkey.late.responses", "Genuine responses that came after their attempt had lost its key"),
    /// An attempt put its entry in doubt.
    DOUBT("latchkey.doubts", "Entries that went into doubt"),
    /// A caller left before all of its answer was sent, or took it too slowly.
    CALLER_GONE("latchkey.callers.gone", "Answers whose caller hung up, or took them too slowly");

    private final String metric;
    private final String help;

    Event(String metric, String help) {
        this.metric = metric;
        this.help = help;
    }

    String metric() {
        return metric;
    }

    String help() {
        return help;
    }
}

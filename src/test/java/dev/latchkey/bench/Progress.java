package dev.latchkey.bench;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/// Says what goes on while it goes on.
public final class Progress {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    Progress() {}

    /// One line, with the time of day.
    public void say(String line) {
        System.out.println(TIME.format(LocalTime.now(ZoneId.systemDefault())) + "  " + line);
    }
}

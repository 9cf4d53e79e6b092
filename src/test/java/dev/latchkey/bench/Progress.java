package dev.latchkey.bench;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/// Says what goes on while it goes on.
public final class Progress {

    Progress() {}

    /// One line, with the time of day.
    public void say(String line) {
        System.out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + "  " + line);
    }
}

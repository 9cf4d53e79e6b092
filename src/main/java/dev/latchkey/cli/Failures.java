package dev.latchkey.cli;

import dev.latchkey.config.SettingsException;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.io.PrintWriter;

/// Says in a sentence what kept a command from its work, and answers with the exit status.
final class Failures {

    private static final Log LOG = Log.of(Failures.class);

    private Failures() {}

    static int report(Exception failure, PrintWriter err) {
        if (failure instanceof SettingsException wrong) {
            wrong.problems().forEach(err::println);
            int count = wrong.problems().size();
            err.println((count == 1 ? "1 problem" : count + " problems") + "; nothing was started.");
            return ExitStatus.WRONG_USAGE_OR_SETTINGS;
        }
        err.println(sentence(failure));
        return ExitStatus.FAILED;
    }

    private static String sentence(Exception failure) {
        if (failure instanceof StartFailure known) {
            return String.valueOf(known.getMessage());
        }
        String address = TakenPort.in(failure);
        if (address != null) {
            return address
                    + " cannot be listened on: something else does, or it is not this machine's. End what does, or"
                    + " choose another port (0: any free one).";
        }
        LOG.failure(LogEvent.FAILED, failure);
        return "Latchkey failed for a reason it does not know (" + failure.getClass().getSimpleName()
                + "); the log names the place.";
    }
}

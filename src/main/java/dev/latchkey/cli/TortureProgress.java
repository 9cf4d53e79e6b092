package dev.latchkey.cli;

import dev.latchkey.torture.Watcher;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Shows a torture's progress: on a terminal one line, written anew each second; elsewhere a line now and then. Safe for
/// any number of threads.
final class TortureProgress implements Watcher {

    private static final String REWRITE = "\r\u001B[K";
    private static final int SELDOM_SECONDS = 10;

    private final PrintWriter out;
    private final boolean terminal;
    private boolean open;
    private long ticks;

    TortureProgress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    static TortureProgress of(PrintWriter out) {
        return new TortureProgress(out, Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent());
    }

    @Override
    public synchronized void ticks(Duration elapsed, int keys, Map<String, Long> answers) {
        if (terminal) {
            out.print(REWRITE + line(elapsed, keys, answers));
            open = true;
        } else if (++ticks % SELDOM_SECONDS == 0) {
            out.println(line(elapsed, keys, answers));
        }
        out.flush();
    }

    @Override
    public synchronized void says(String sentence) {
        if (open) {
            out.println();
            open = false;
        }
        out.println(sentence);
        out.flush();
    }

    static String line(Duration elapsed, int keys, Map<String, Long> answers) {
        long calls = answers.values().stream().mapToLong(Long::longValue).sum();
        return String.format(
                Locale.ROOT,
                "%5ds %,8d keys %,6d calls/s   recorded %,d, replayed %,d, in doubt %,d, refused and released %,d,"
                        + " no answer %,d",
                elapsed.toSeconds(), keys, calls * 1000 / Math.max(1, elapsed.toMillis()),
                count(answers, "recorded"), count(answers, "replayed"), count(answers, "in doubt"),
                count(answers, "other"), count(answers, "no answer"));
    }

    private static long count(Map<String, Long> answers, String sort) {
        return answers.entrySet().stream().filter(each -> sort(each.getKey()).equals(sort))
                .mapToLong(Map.Entry::getValue).sum();
    }

    private static String sort(String kind) {
        if (kind.endsWith(" recorded")) {
            return "recorded";
        }
        if (kind.endsWith(" recorded replayed")) {
            return "replayed";
        }
        if (kind.contains("in-doubt") || kind.endsWith("outcome-unknown")) {
            return "in doubt";
        }
        return kind.equals("no answer") ? kind : "other";
    }
}

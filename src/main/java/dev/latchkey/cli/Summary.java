package dev.latchkey.cli;

import dev.latchkey.config.Clients;
import dev.latchkey.config.LedgerPlace;
import dev.latchkey.config.RouteSettings;
import dev.latchkey.config.Settings;
import java.time.Duration;

/// What settings come to, in a few lines for people.
final class Summary {

    private Summary() {}

    static String of(Settings settings) {
        StringBuilder text = new StringBuilder();
        line(text, "calls", Ready.url(settings.listen(), settings.listen().port()));
        line(text, "management", Ready.url(settings.management(), settings.management().port()));
        line(text, "ledger", ledger(settings.ledger().place()));
        line(text, "clients", clients(settings.clients()));
        for (RouteSettings route : settings.routes()) {
            line(
                    text,
                    "route " + route.name(),
                    route.prefix() + " -> " + route.downstream().url() + ", a claim holds "
                            + seconds(settings.lease(route)) + ", sending begins within "
                            + seconds(settings.sendWindow(route)) + " of it");
        }
        return text.toString();
    }

    private static String ledger(LedgerPlace place) {
        return switch (place) {
            case LedgerPlace.Server server -> "PostgreSQL by ledger.url";
            case LedgerPlace.Embedded embedded -> "embedded PostgreSQL in " + embedded.dataDir();
        };
    }

    private static String clients(Clients clients) {
        return switch (clients) {
            case Clients.Open open -> "everybody, as the client open";
            case Clients.Listed listed -> listed.clients().size() + " by token";
        };
    }

    /// `5s`, `0.5s`.
    private static String seconds(Duration duration) {
        return java.math.BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + "s";
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("  %-22s %s%n", name, value));
    }
}

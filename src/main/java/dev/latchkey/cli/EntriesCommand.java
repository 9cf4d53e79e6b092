package dev.latchkey.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.config.SettingsException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "entries",
        description = "Shows entries of a running gateway's ledger: newest first, one with its history, or why entries are"
                + " in doubt, in groups.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {
            "",
            "Example:  latchkey entries --groups",
            "          latchkey entries --state in-doubt --route payments",
            "          latchkey entries 7f3c1a52-0d7e-4b1c-9a55-2f6f0d9f1c11 --json",
            "",
            "The operator's token comes from the variable " + OperatorOption.TOKEN + "."
        })
final class EntriesCommand implements Callable<Integer> {

    private final Function<String, @Nullable String> environment;

    @Spec
    private CommandSpec spec;

    @Mixin
    private OperatorOption gateway = new OperatorOption();

    @Parameters(arity = "0..1", paramLabel = "ENTRY-ID", description = "Only this one, with its history.")
    private @Nullable String id;

    @Option(names = "--groups", description = "Count the entries in doubt by cause, route and client.")
    private boolean groups;

    @Option(names = "--state", paramLabel = "STATE", description = "claimed, recorded, in-doubt or released.")
    private @Nullable String state;

    @Option(names = "--client", paramLabel = "NAME", description = "Of this client.")
    private @Nullable String client;

    @Option(names = "--route", paramLabel = "NAME", description = "On this route.")
    private @Nullable String route;

    @Option(names = "--key", paramLabel = "KEY", description = "With this idempotency key.")
    private @Nullable String key;

    @Option(names = "--since", paramLabel = "TIME", description = "Claimed since, such as 2026-01-04T09:00:00Z.")
    private @Nullable String since;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: 100; no more than 1000.")
    private @Nullable Integer limit;

    @Option(names = "--after", paramLabel = "NEXT", description = "The following page: the next of the one before.")
    private @Nullable String after;

    EntriesCommand(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws SettingsException {
        Map<String, String> query = query();
        if ((groups && id != null) || ((groups || id != null) && !query.isEmpty())) {
            throw gateway.wrong("ENTRY-ID, --groups and filters exclude each other.");
        }
        OperatorClient operator = gateway.client(environment);
        String path = groups
                ? "/operator/doubts"
                : id == null ? "/operator/entries" : "/operator/entries/" + OperatorAsk.entryId(id, gateway);
        JsonNode answer = operator.get(path, query);
        PrintWriter out = spec.commandLine().getOut();
        if (gateway.json()) {
            out.println(answer.toPrettyString());
        } else {
            out.print(groups ? groups(answer) : id == null ? list(answer) : EntryText.of(answer));
        }
        out.flush();
        return ExitStatus.CLEAN;
    }

    private Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        OperatorAsk.put(query, "state", state);
        OperatorAsk.put(query, "client", client);
        OperatorAsk.put(query, "route", route);
        OperatorAsk.put(query, "key", key);
        OperatorAsk.put(query, "since", since);
        OperatorAsk.put(query, "limit", limit == null ? null : limit.toString());
        OperatorAsk.put(query, "after", after);
        return query;
    }

    private static String groups(JsonNode answer) {
        Table table = new Table("COUNT", "CAUSE", "ROUTE", "CLIENT", "OLDEST", "NEWEST");
        answer.path("groups").forEach(group -> table.add(
                group.path("count").asText(), group.path("cause").asText(), group.path("route").asText(),
                group.path("client").asText(), group.path("oldest").asText(), group.path("newest").asText()));
        return table + line(answer.path("count").asText() + " in doubt") + now(answer);
    }

    private static String list(JsonNode answer) {
        Table table = new Table("ENTRY", "STATE", "ROUTE", "CLIENT", "CLAIMED", "STATUS", "CAUSE", "KEY");
        answer.path("entries").forEach(entry -> table.add(
                entry.path("entry_id").asText(), entry.path("state").asText(), entry.path("route").asText(),
                entry.path("client").asText(), entry.path("claimed_at").asText(), EntryText.value(entry.path("status")),
                EntryText.value(entry.path("cause")), EntryText.value(entry.path("idempotency_key"))));
        String next = answer.path("next").isTextual() ? line("More: --after " + answer.path("next").asText()) : "";
        return table + next + now(answer);
    }

    /// What a verdict of *not executed* gives as the time of its look.
    private static String now(JsonNode answer) {
        return line("By the ledger's clock: " + answer.path("now").asText());
    }

    private static String line(String text) {
        return Table.printable(text) + System.lineSeparator();
    }
}

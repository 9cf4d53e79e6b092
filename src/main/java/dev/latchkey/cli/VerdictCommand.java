package dev.latchkey.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.config.SettingsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "verdict",
        description = "Settles what is in doubt, by what an operator found out: one entry, or all that a filter takes. Look"
                + " at the downstream first; the reason goes into the history.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {
            "",
            "Example:  latchkey verdict executed 7f3c1a52-0d7e-4b1c-9a55-2f6f0d9f1c11 --reason 'pay_17 is there'"
                    + " --status 201 --header 'Content-Type: application/json' --body answer.json",
            "          latchkey verdict not-executed --route mail --cause status-503 --dry-run",
            "          latchkey verdict not-executed --route mail --cause status-503 --as-of 2026-01-04T09:00:00Z"
                    + " --reason 'the log of the mail server has none'",
            "",
            "not-executed needs --as-of: the ledger's time (latchkey entries and --dry-run print it) from before you"
                    + " looked at the downstream. The operator's token comes from the variable "
                    + OperatorOption.TOKEN + "."
        })
final class VerdictCommand implements Callable<Integer> {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Function<String, @Nullable String> environment;
    private final Supplier<@Nullable String> typed;

    @Spec
    private CommandSpec spec;

    @Mixin
    private OperatorOption gateway = new OperatorOption();

    @Parameters(index = "0", paramLabel = "VERDICT", description = "executed or not-executed.")
    private String verdict;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ENTRY-ID", description = "Which one; else give a filter.")
    private @Nullable String id;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why. Required, but for --dry-run.")
    private @Nullable String reason;

    @Option(names = "--as-of", paramLabel = "TIME", description = "When the look at the downstream began.")
    private @Nullable String asOf;

    @Option(names = "--status", paramLabel = "N", description = "Executed: the status that repeats get, 200 to 399.")
    private @Nullable Integer status;

    @Option(names = "--header", paramLabel = "LINE", description = "Executed: a header field, 'Name: value'.")
    private List<String> headers = List.of();

    @Option(names = "--body", paramLabel = "FILE", description = "Executed: the body that repeats get.")
    private @Nullable Path body;

    @Option(names = "--route", paramLabel = "NAME", description = "All in doubt on this route.")
    private @Nullable String route;

    @Option(names = "--client", paramLabel = "NAME", description = "All in doubt of this client.")
    private @Nullable String client;

    @Option(names = "--cause", paramLabel = "CAUSE", description = "All in doubt for this cause.")
    private @Nullable String cause;

    @Option(names = "--all", description = "All in doubt.")
    private boolean all;

    @Option(names = "--dry-run", description = "Only count what a filter takes.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Settle all that a filter takes without asking.")
    private boolean yes;

    /// @param typed what somebody types next; null: nobody does
    VerdictCommand(Function<String, @Nullable String> environment, Supplier<@Nullable String> typed) {
        this.environment = environment;
        this.typed = typed;
    }

    @Override
    public Integer call() throws SettingsException {
        Map<String, String> filter = filter();
        check(!filter.isEmpty() || all);
        OperatorClient operator = gateway.client(environment);
        PrintWriter out = spec.commandLine().getOut();
        if (id != null) {
            JsonNode entry = operator.post(
                    "/operator/entries/" + OperatorAsk.entryId(id, gateway) + "/verdict", verdict());
            out.print(gateway.json() ? entry.toPrettyString() + System.lineSeparator() : EntryText.of(entry));
            out.flush();
            return ExitStatus.CLEAN;
        }
        return many(operator, filter, out);
    }

    private void check(boolean filtered) {
        if (!List.of("executed", "not-executed").contains(verdict)) {
            throw gateway.wrong("VERDICT is executed or not-executed.");
        }
        if ((id == null) != filtered) {
            throw gateway.wrong("Give either an ENTRY-ID, or --route, --client, --cause or --all.");
        }
        if (dryRun && id != null) {
            throw gateway.wrong("--dry-run counts what a filter takes; an ENTRY-ID is one.");
        }
        if (dryRun) {
            return;
        }
        if (reason == null || reason.isBlank()) {
            throw gateway.wrong("--reason is required: it goes into the history.");
        }
        boolean executed = verdict.equals("executed");
        if (executed == (asOf != null)) {
            throw gateway.wrong(
                    executed ? "--as-of goes with not-executed only." : "not-executed needs --as-of; see --help.");
        }
        if (status == null ? body != null || !headers.isEmpty() : !executed) {
            throw gateway.wrong("--status, with --header and --body, goes with executed only.");
        }
    }

    private Map<String, String> filter() {
        Map<String, String> filter = new LinkedHashMap<>();
        OperatorAsk.put(filter, "route", route);
        OperatorAsk.put(filter, "client", client);
        OperatorAsk.put(filter, "cause", cause);
        return filter;
    }

    private ObjectNode verdict() {
        ObjectNode node = JSON.createObjectNode().put("verdict", verdict).put("reason", reason);
        if (asOf != null) {
            node.put("as_of", asOf);
        }
        if (status != null) {
            ObjectNode response = node.putObject("response").put("status", status);
            ArrayNode lines = response.putArray("headers");
            for (String header : headers) {
                int colon = header.indexOf(':');
                if (colon < 1) {
                    throw gateway.wrong("--header is written 'Name: value'.");
                }
                lines.addArray().add(header.substring(0, colon)).add(header.substring(colon + 1).strip());
            }
            response.put("body_base64", Base64.getEncoder().encodeToString(bytes()));
        }
        return node;
    }

    private byte[] bytes() {
        try {
            return body == null ? new byte[0] : Files.readAllBytes(body);
        } catch (IOException _) {
            throw gateway.wrong("The file of --body cannot be read.");
        }
    }

    private int many(OperatorClient operator, Map<String, String> filter, PrintWriter out) {
        ObjectNode asked = JSON.createObjectNode().put("dry_run", true);
        filter.forEach(asked.putObject("filter")::put);
        JsonNode count = operator.post("/operator/verdicts", asked);
        if (dryRun && gateway.json()) {
            out.println(count.toPrettyString());
        } else if (dryRun || !yes) {
            out.println(count.path("count").asText() + " in doubt, as of " + count.path("as_of").asText() + ".");
        }
        out.flush();
        if (dryRun || (count.path("count").asLong() == 0 && !gateway.json())) {
            return ExitStatus.CLEAN;
        }
        if (!yes && !isConfirmed(out)) {
            spec.commandLine().getErr().println("Nothing was settled. --yes settles without asking.");
            return ExitStatus.FAILED;
        }
        ObjectNode said = verdict();
        filter.forEach(said.putObject("filter")::put);
        return settle(operator, said, out);
    }

    private boolean isConfirmed(PrintWriter out) {
        out.print("Settle them all as " + verdict + "? Type yes: ");
        out.flush();
        String answer = typed.get();
        return answer != null && answer.strip().equalsIgnoreCase("yes");
    }

    /// As often as the gateway runs out of time and has got on.
    private int settle(OperatorClient operator, ObjectNode said, PrintWriter out) {
        ObjectNode result = JSON.createObjectNode();
        long settled = 0;
        boolean more = true;
        while (more) {
            JsonNode round = operator.post("/operator/verdicts", said);
            settled += round.path("settled").asLong();
            more = !round.path("complete").asBoolean() && round.path("settled").asLong() > 0;
            result.put("settled", settled);
            result.set("refused", round.path("refused"));
            result.set("complete", round.path("complete"));
        }
        boolean whole = result.path("complete").asBoolean() && result.path("refused").isEmpty();
        if (gateway.json()) {
            out.println(result.toPrettyString());
        } else {
            out.println("Settled: " + settled + ".");
            result.path("refused").properties()
                    .forEach(why -> out.println("Refused, " + why.getKey() + ": " + why.getValue().asText() + "."));
        }
        out.flush();
        return whole ? ExitStatus.CLEAN : ExitStatus.FAILED;
    }
}

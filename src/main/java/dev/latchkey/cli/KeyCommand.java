package dev.latchkey.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.DownstreamKey;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Fingerprinting;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.JsonPointer;
import dev.latchkey.protocol.KeyTemplate;
import dev.latchkey.protocol.Reading;
import dev.latchkey.protocol.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "key",
        description = "Shows, for the body on standard input, the key that a route's template gives and the fingerprint that"
                + " the ledger compares repeats by. Starts nothing and asks nobody.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {
            "",
            "Example:  latchkey key 'order-shipped:{/order_id}:{/run_date}' --target /notifications < order.json",
            "          latchkey key '{/id}' --ignore /requested_at --client pipelines < order.json",
            "          latchkey key --target '/payments?dry=1' --content-type text/csv --json < orders.csv",
            "",
            "The fingerprint depends on method, target, media type and body, and on the route's fingerprint.ignore and"
                    + " fingerprint.headers: give them as the route has them."
        })
final class KeyCommand implements Callable<Integer> {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final InputStream in;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "TEMPLATE", description = "As in the setting routes[].key: text with JSON"
            + " pointers in braces. Without one there is only a fingerprint.")
    private @Nullable String template;

    @Option(names = "--method", paramLabel = "METHOD", description = "Of the request. Default: ${DEFAULT-VALUE}.")
    private String method = "POST";

    @Option(
            names = "--target",
            paramLabel = "PATH",
            description = "Path and query that the gateway is called by. Default: ${DEFAULT-VALUE}.")
    private String target = "/";

    @Option(names = "--content-type", paramLabel = "TYPE", description = "Of the body. Default: ${DEFAULT-VALUE}.")
    private String contentType = "application/json";

    @Option(names = "--ignore", paramLabel = "POINTER", description = "Left out of a JSON body, as by"
            + " fingerprint.ignore. Repeatable.")
    private List<String> ignore = List.of();

    @Option(names = "--header", paramLabel = "LINE", description = "A header field that is taken in, as by"
            + " fingerprint.headers: 'Name: value'. Repeatable.")
    private List<String> headers = List.of();

    @Option(names = "--client", paramLabel = "NAME", description = "Also show the entry id, and the downstream key of a"
            + " first request, for this client (the oldest of its names).")
    private @Nullable String client;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    /// @param in the body
    KeyCommand(InputStream in) {
        this.in = in;
    }

    @Override
    public Integer call() throws IOException {
        if (client != null && template == null) {
            throw wrong("--client goes with a TEMPLATE: without a key there is no entry.");
        }
        KeyTemplate read = template == null ? null : parsed(template, KeyTemplate::parse);
        FingerprintPolicy policy = policy();
        Request request = request();
        ObjectNode shown = JSON.createObjectNode();
        if (read != null) {
            addKey(shown, key(read, request.body()));
        }
        addFingerprint(shown, request, policy);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? shown.toPrettyString() + System.lineSeparator() : EntryText.members(shown));
        out.flush();
        return ExitStatus.CLEAN;
    }

    private FingerprintPolicy policy() {
        List<JsonPointer> pointers = ignore.stream().map(text -> parsed(text, JsonPointer::parse)).toList();
        List<String> names = headers.stream().map(line -> line.substring(0, colon(line))).toList();
        return parsed(names, taken -> new FingerprintPolicy(pointers, taken));
    }

    private Request request() throws IOException {
        Headers fields = Headers.of("Content-Type", contentType);
        for (String line : headers) {
            fields = fields.plus(line.substring(0, colon(line)), line.substring(colon(line) + 1).strip());
        }
        int mark = target.indexOf('?');
        return new Request(
                method, mark < 0 ? target : target.substring(0, mark), mark < 0 ? null : target.substring(mark + 1),
                fields,
                Body.of(in.readAllBytes()));
    }

    private int colon(String line) {
        int colon = line.indexOf(':');
        if (colon < 1) {
            throw wrong("--header is written 'Name: value'.");
        }
        return colon;
    }

    private IdempotencyKey key(KeyTemplate read, Body body) {
        return switch (read.render(body)) {
            case KeyTemplate.Rendered rendered -> rendered.key();
            case KeyTemplate.Missing missing -> throw wrong("The body has no value at " + missing.pointer()
                    + ". Send that value, or let the template take another one.");
            case KeyTemplate.Invalid invalid -> throw wrong(StrictJson.fault(body)
                    .map(fault -> "The body is not strictly valid JSON: " + sentence(fault, body) + ". Mend it.")
                    .orElse("At " + invalid.pointer() + ": " + invalid.reason()
                            + ". Correct that value, or let the template take another one."));
        };
    }

    private void addKey(ObjectNode shown, IdempotencyKey key) {
        shown.put("idempotency_key", key.text());
        shown.put("as_header", "Idempotency-Key: " + key.structured());
        if (client != null) {
            shown.put("entry_id", EntryId.of(client, key).toString());
            shown.put("downstream_key", DownstreamKey.derive(client, key, 0));
        }
    }

    private void addFingerprint(ObjectNode shown, Request request, FingerprintPolicy policy) {
        switch (Fingerprint.of(request, policy, Integer.MAX_VALUE)) {
            case Fingerprinting.Taken taken -> {
                shown.put("fingerprint", HexFormat.of().formatHex(taken.fingerprint().bytes()));
                shown.put("of", method + " " + target + ", " + contentType);
                shown.put("read_as", read(taken.reading(), request.body()));
            }
            case Fingerprinting.Undecodable undecodable -> throw wrong(undecodable.reason() + ".");
            case Fingerprinting.TooLarge tooLarge -> throw wrong("The body is too large.");
        }
        if (!ignore.isEmpty()) {
            shown.put("ignored", String.join(" ", ignore));
        }
        if (!policy.headers().isEmpty()) {
            shown.put("headers", String.join(" ", policy.headers()));
        }
    }

    private static String read(Reading reading, Body body) {
        String kind = switch (reading.kind()) {
            case JSON -> "strict JSON";
            case FORM -> "a form";
            case MULTIPART -> "a multipart form";
            case BYTES -> "raw bytes";
        };
        if (reading.kept()) {
            return kind;
        }
        String why = reading.kind() == Reading.Kind.JSON
                ? StrictJson.fault(body).map(fault -> ": " + sentence(fault, body)).orElse("")
                : "";
        return "raw bytes, since it is not " + kind + why;
    }

    private static String sentence(StrictJson.Fault fault, Body body) {
        int line = 1;
        for (int i = 0; i < fault.at(); i++) {
            line += body.bytes()[i] == '\n' ? 1 : 0;
        }
        return fault.what() + " (line " + line + ", after " + fault.at() + " bytes)";
    }

    private <T, R> R parsed(T text, Function<T, R> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage() + ".");
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(
                spec.commandLine(), Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1));
    }
}

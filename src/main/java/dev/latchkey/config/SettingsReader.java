package dev.latchkey.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns a settings file into records, section by section. For one thread.
final class SettingsReader {

    private final Section whole;

    SettingsReader(SettingsFile file) {
        this.whole = file.whole();
    }

    /// What was read; where the file has problems, stand-ins are among it, and it must not be used.
    Settings read() {
        Listen listen = listen(whole.section("listen"), Listen.callsByDefault());
        Listen management = listen(whole.section("management"), Listen.managementByDefault());
        LedgerSettings ledger = ledger(whole.section("ledger"));
        JwtSettings jwt = whole.has("jwt") ? new JwtReader(whole.section("jwt")).read() : null;
        Clients clients = clients(jwt);
        List<ClientSettings> operators = list("operators");
        Limits limits = limits(whole.section("limits"));
        WaitSettings waiting = waiting(whole.section("wait"));
        ClaimSettings claims = claims(whole.section("claims"));
        CacheSettings cache = cache(whole.section("cache"));
        Upkeep upkeep = upkeep(whole.section("upkeep"));
        Drain drain = drain(whole.section("drain"));
        TelemetrySettings telemetry = TelemetryReader.read(whole.section("telemetry"));
        List<RouteSettings> routes = new ArrayList<>();
        for (Section route : whole.sections("routes")) {
            routes.add(new RouteReader(route, ledger.settleDelay(), routes.size()).read());
        }
        return whole.checked(
                () -> new Settings(
                        listen, management, ledger, clients, jwt, operators, limits, waiting, claims, cache, upkeep,
                        drain,
                        telemetry, routes),
                () -> new Settings(
                        Listen.callsByDefault(),
                        Listen.managementByDefault(),
                        ledger,
                        new Clients.Open(true),
                        null,
                        List.of(),
                        limits,
                        waiting,
                        claims,
                        cache,
                        upkeep,
                        drain,
                        telemetry,
                        List.of()));
    }

    private static Listen listen(Section section, Listen byDefault) {
        String host = section.text("host", byDefault.host());
        int port = section.read("port", byDefault.port(), Values::whole);
        TlsSettings tls = section.has("tls") ? TlsReader.read(section.section("tls")) : null;
        return section.checked(() -> new Listen(host, port, tls), () -> byDefault);
    }

    private static LedgerSettings ledger(Section section) {
        LedgerPlace place = place(section);
        LedgerSettings byDefault = LedgerSettings.at(place);
        boolean migrate = section.read("migrate", byDefault.migrate(), Values::flag);
        int connections = section.read("connections", byDefault.connections(), Values::whole);
        Writer writer = section.choice("writer", byDefault.writer());
        Durability durability = section.choice("durability", byDefault.durability());
        var leaseMargin = section.read("lease-margin", byDefault.leaseMargin(), Values::duration);
        var settleDelay = section.read("settle-delay", byDefault.settleDelay(), Values::duration);
        EncryptionSettings encryption = EncryptionReader.read(section.section("encryption"));
        return section.checked(
                () -> new LedgerSettings(
                        place, migrate, connections, writer, durability, leaseMargin, settleDelay, encryption),
                () -> byDefault);
    }

    private static LedgerPlace place(Section section) {
        String url = section.textOrNull("url");
        Path dataDir = section.<@Nullable Path>read("data-dir", null, SettingsReader::folder);
        String user = section.textOrNull("user");
        SecretText password = section.secret("password");
        LedgerPlace standIn = new LedgerPlace.Embedded(Path.of("."));
        if (!section.has("url") && !section.has("data-dir")) {
            section.problem(
                    "",
                    "no ledger is named; write ledger.url (jdbc:postgresql://HOST:5432/DATABASE), or ledger.data-dir for"
                            + " an embedded PostgreSQL that keeps its data in that folder");
            return standIn;
        }
        if (section.has("url") && section.has("data-dir")) {
            section.problem("data-dir", "ledger.url is given, too; write one of them");
            return standIn;
        }
        if (section.has("data-dir")) {
            for (String name : List.of("user", "password")) {
                if (section.has(name)) {
                    section.problem(name, "this goes with ledger.url only; remove it");
                }
            }
            return dataDir == null ? standIn : new LedgerPlace.Embedded(dataDir);
        }
        return url == null
                ? standIn
                : section.part("", () -> new LedgerPlace.Server(url, user, password), () -> standIn);
    }

    private static Path folder(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(Quoted.of(text) + " is not the path of a folder", e);
        }
    }

    private Clients clients(@Nullable JwtSettings jwt) {
        Clients.Open open = new Clients.Open(true);
        boolean others = jwt != null && !jwt.listedOnly();
        Clients standIn = jwt == null ? open : new Clients.Listed(List.of(), true);
        if (!whole.has("clients")) {
            return jwt == null
                    ? new Clients.Open(false)
                    : whole.part("jwt", () -> new Clients.Listed(List.of(), others), () -> standIn);
        }
        if (whole.isText("clients")) {
            whole.read("clients", open, text -> {
                if (!text.equals(Clients.Open.NAME)) {
                    throw new IllegalArgumentException(Quoted.of(text)
                            + " is neither open nor a list; write open, or a list of {name, token-sha256}");
                }
                return open;
            });
            return open;
        }
        List<ClientSettings> clients = list("clients");
        return clients.isEmpty() && !whole.isList("clients")
                ? standIn
                : whole.part("clients", () -> new Clients.Listed(clients, others), () -> standIn);
    }

    private List<ClientSettings> list(String name) {
        List<ClientSettings> clients = new ArrayList<>();
        for (Section section : whole.sections(name)) {
            clients.add(client(section, name + "-" + clients.size()));
        }
        return clients;
    }

    private static ClientSettings client(Section section, String standIn) {
        String name =
                section.required("name", standIn, text -> text, "write who this is; the name stays when tokens change");
        List<String> tokens = tokens(section);
        boolean jwt = section.read("jwt", false, Values::flag);
        List<String> formerly = section.texts("formerly");
        Set<String> routes = section.has("routes") ? new HashSet<>(section.texts("routes")) : null;
        Integer forwards = section.<@Nullable Integer>read("forwards", null, Values::whole);
        Integer callsPerSecond = section.<@Nullable Integer>read("calls-per-second", null, Values::whole);
        ClientBounds bounds = section.part(
                "", () -> new ClientBounds(forwards, callsPerSecond), () -> ClientBounds.USUAL);
        return section.checked(
                () -> new ClientSettings(name, tokens, jwt, formerly, routes, bounds),
                () -> new ClientSettings(
                        standIn, List.of(digestFor(standIn)), false, List.of(), null, ClientBounds.USUAL));
    }

    private static List<String> tokens(Section section) {
        if (section.has("token-sha256") && section.has("tokens-sha256")) {
            section.problem("tokens-sha256", "token-sha256 is given, too; write one of them");
        }
        String single = section.textOrNull("token-sha256");
        return single == null ? section.texts("tokens-sha256") : List.of(single);
    }

    private static String digestFor(String standIn) {
        return String.format("%064x", standIn.hashCode());
    }

    private static Limits limits(Section section) {
        Limits byDefault = Limits.defaults();
        long requestBody = section.read("request-body", byDefault.requestBody(), SizeText::parse);
        long responseBody = section.read("response-body", byDefault.responseBody(), SizeText::parse);
        long headerFields = section.read("header-fields", byDefault.headerFields(), SizeText::parse);
        int forwards = section.read("forwards", byDefault.forwards(), Values::whole);
        int clientForwards = section.read("client-forwards", Math.max(1, forwards), Values::whole);
        Integer clientCallsPerSecond =
                section.<@Nullable Integer>read("client-calls-per-second", null, Values::whole);
        int waiting = section.read("waiting", byDefault.waiting(), Values::whole);
        long bytes = section.read("bytes", byDefault.bytes(), SizeText::parse);
        var callerTime = section.read("caller-time", byDefault.callerTime(), Values::duration);
        long callerRate = section.read("caller-rate", byDefault.callerRate(), SizeText::parse);
        int batches = section.read("batches", byDefault.batches(), Values::whole);
        int batch = section.read("batch", Math.clamp(batches, 1, byDefault.batch()), Values::whole);
        long batchBytes = section.read("batch-bytes", Limits.quarterOf(bytes), SizeText::parse);
        return section.checked(
                () -> new Limits(
                        requestBody, responseBody, headerFields, forwards, clientForwards, clientCallsPerSecond,
                        waiting, bytes, callerTime, callerRate, batch, batches, batchBytes),
                () -> byDefault);
    }

    private static WaitSettings waiting(Section section) {
        var max = section.read("max", WaitSettings.defaults().max(), Values::duration);
        return section.checked(() -> new WaitSettings(max), WaitSettings::defaults);
    }

    private static ClaimSettings claims(Section section) {
        ClaimSettings byDefault = ClaimSettings.defaults();
        var longest = section.read("lease-max", byDefault.longestLease(), Values::duration);
        var lease = section.read("lease", ClaimSettings.usualLeaseWithin(longest), Values::duration);
        Section kept = section.section("retention");
        Duration response = kept.<@Nullable Duration>read(
                "response", byDefault.retention().response(), Values::durationOrForever);
        Duration entry = kept.<@Nullable Duration>read(
                "entry", byDefault.retention().entry(), Values::durationOrForever);
        Retention retention = kept.checked(
                () -> new Retention(response, entry, byDefault.retention().rejection()), Retention::defaults);
        return section.checked(() -> new ClaimSettings(lease, longest, retention), ClaimSettings::defaults);
    }

    private static CacheSettings cache(Section section) {
        long size = section.read("size", CacheSettings.defaults().size(), SizeText::parse);
        return section.checked(() -> new CacheSettings(size), CacheSettings::defaults);
    }

    private static Upkeep upkeep(Section section) {
        var every = section.read("every", Upkeep.defaults().every(), Values::duration);
        return section.checked(() -> new Upkeep(every), Upkeep::defaults);
    }

    private static Drain drain(Section section) {
        var delay = section.read("delay", Drain.defaults().delay(), Values::duration);
        var timeout = section.read("timeout", Drain.defaults().timeout(), Values::duration);
        return section.checked(() -> new Drain(delay, timeout), Drain::defaults);
    }
}

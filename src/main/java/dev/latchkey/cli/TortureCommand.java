package dev.latchkey.cli;

import dev.latchkey.config.ClientSettings;
import dev.latchkey.config.DurationText;
import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.torture.Aim;
import dev.latchkey.torture.Caller;
import dev.latchkey.torture.Killer;
import dev.latchkey.torture.Report;
import dev.latchkey.torture.Target;
import dev.latchkey.torture.Torture;
import dev.latchkey.torture.Unfit;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "torture",
        description = "Tortures a running gateway whose route leads to a sandbox (latchkey sandbox): repeats, races, changed"
                + " requests and faults of the downstream. Then audits every answer and every effect against the ledger."
                + " Kill and restart replicas, cut networks, stop the database meanwhile: nothing may happen twice, and no"
                + " answer may turn out untrue.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {
            "",
            "Example:  latchkey torture --config latchkey.yaml --for 5m",
            "          latchkey torture --config latchkey.yaml --route payments --seed 7",
            "          latchkey torture --config latchkey.yaml --kill",
            "",
            "Only a route whose downstream is a sandbox is ever called. The first signal ends the load and audits, a second"
                    + " one stops at once. Exit status: 0 no violation, 1 a violation or no audit, 2 wrong usage or"
                    + " settings."
        })
final class TortureCommand implements Callable<Integer> {

    static final String TOKEN = "LATCHKEY_TOKEN";

    /// Beyond the timeout of a route, and the second that a call waits longer.
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final long SEEDS = 1_000_000_000;

    private final SettingsOption.Reader settings;
    private final Lifetime lifetime;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SettingsOption option = new SettingsOption();

    @Option(names = "--for", paramLabel = "TIME",
            description = "How long the load lasts, such as 30s or 5m. Default: 60s.")
    private String time = "60s";

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "What requests and faults are made, and in which order for each key. Default: a random one.")
    private @Nullable Long seed;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where a gateway listens; once for each replica. Default: where the settings say.")
    private List<String> urls = List.of();

    @Option(
            names = "--route",
            paramLabel = "NAME",
            description = "Which route. Default: the first one that leads to a sandbox.")
    private @Nullable String route;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The token of a client, where the settings list clients. Default: the variable " + TOKEN
                    + ".")
    private @Nullable String token;

    @Option(
            names = "--kill",
            description = "Start the gateway of these settings, kill it (SIGKILL) at random moments and start it again.")
    private boolean kill;

    @Option(names = "--callers", paramLabel = "N", description = "Keys under way at once. Default: 64.")
    private int callers = 64;

    @Option(names = "--json", description = "Print the report as JSON, for programs.")
    private boolean json;

    TortureCommand(SettingsOption.Reader settings, Lifetime lifetime) {
        this.settings = settings;
        this.lifetime = lifetime;
    }

    @Override
    public Integer call() throws SettingsException, InterruptedException {
        Settings checked = settings.read(option);
        String shown = token == null ? settings.environment().apply(TOKEN) : token;
        Duration length = length();
        if (kill && !urls.isEmpty()) {
            throw wrong("--kill starts one gateway, where the settings say; --url names running ones.");
        }
        if (callers < 1 || callers > 10_000) {
            throw wrong("--callers is a number from 1 to 10000.");
        }
        Clocks clocks = new SystemClocks();
        ClientSettings client;
        Target target;
        try (Caller nobody = new Caller(clocks, null, PATIENCE)) {
            client = Aim.client(checked, shown);
            target = new Aim(checked, gateways(checked), nobody, length).at(client, route);
        } catch (Unfit e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        if (seed == null) {
            seed = ThreadLocalRandom.current().nextLong(SEEDS);
        }
        try (Caller caller = new Caller(
                clocks, client == null ? null : shown, target.timeout().plus(PATIENCE));
                Killer killer = kill ? killer(target, caller, clocks) : null) {
            return report(target, torture(target, caller, clocks, length, killer));
        }
    }

    private Killer killer(Target target, Caller caller, Clocks clocks) throws InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), "dev.latchkey.Main", "serve", "--config",
                settings.path(option).toString());
        try {
            Path log = Files.createTempFile("latchkey-torture-", ".log");
            spec.commandLine().getErr().println("What the gateway prints goes to " + log + ".");
            URI gateway = target.gateways().getFirst();
            return new Killer(command, log, gateway, caller, seed == null ? 0 : seed, clocks);
        } catch (IOException e) {
            throw new StartFailure("No file for what the gateway prints can be made in the temporary folder.", e);
        }
    }

    private Report torture(
            Target target, Caller caller, Clocks clocks, Duration length, @Nullable Killer killer)
            throws InterruptedException {
        AtomicBoolean stopped = new AtomicBoolean();
        lifetime.onSignals(() -> stopped.set(true), () -> {
            if (killer != null) {
                killer.endNow();
            }
        });
        TortureProgress progress = TortureProgress.of(spec.commandLine().getErr());
        progress.says(
                "Torturing the route " + target.route() + " of "
                        + String.join(", ", target.gateways().stream().map(URI::toString).toList()) + " as the client "
                        + target.client() + " for " + time + ", seed " + seed + ".");
        return new Torture(target, caller, callers, clocks, progress, stopped::get, killer)
                .run(length, seed == null ? 0 : seed);
    }

    private int report(Target target, Report report) {
        PrintWriter out = spec.commandLine().getOut();
        TortureText text = new TortureText(target, report, seed == null ? 0 : seed);
        out.print(json ? text.json() : text.table());
        out.flush();
        return report.clean() ? ExitStatus.CLEAN : ExitStatus.FAILED;
    }

    private Duration length() {
        try {
            Duration length = DurationText.parse(time);
            if (length.isPositive()) {
                return length;
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw wrong("--for is a duration such as 30s, 5m or 2h.");
    }

    private List<URI> gateways(Settings checked) {
        if (urls.isEmpty()) {
            return List.of(Address.of(checked.listen()).orElseThrow(() -> wrong(
                    "The settings let the port be any free one: give --url, as the gateway's log says it.")));
        }
        List<URI> all = new ArrayList<>();
        for (String url : urls) {
            all.add(Address.parse(url).orElseThrow(() -> wrong("--url must be a URL such as http://127.0.0.1:8080.")));
        }
        return all;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}

package dev.latchkey.bench;

import dev.latchkey.postgres.PlainSql;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// PostgreSQL's own load generator with the plain writer's two statements, one after the other, each a transaction of its
/// own: what a ledger costs where there is nothing before it, neither HTTP nor a downstream.
final class PgBench implements Side {

    static final String NAME = "pgbench";

    private static final Pattern SECOND = Pattern.compile("progress: ([0-9.]+) s, ([0-9.]+) tps");
    /// Each reads the catalogue and plans first, and all of them at once.
    private static final int SESSIONS_A_SECOND = 32;
    private static final int LONGEST_RAMP_UP_SECONDS = 16;
    static final String DATABASE = "pgbench";
    /// Two random numbers make the entry's id, the second one the attempt too.
    private static final String NUMBERS =
            """
                    \\set a random(1, 9223372036854775806)
                    \\set b random(1, 9223372036854775806)
                    """;
    private static final String ID =
            "cast(lpad(to_hex(cast(:a as bigint)), 16, '0') || lpad(to_hex(cast(:b as bigint)), 16, '0') as uuid)";

    private final Path program;
    private final Path script;
    private final BenchServer server;

    private PgBench(Path program, Path script, BenchServer server) {
        this.program = program;
        this.script = script;
        this.server = server;
    }

    /// Nothing, and says so, where the program is not installed.
    static Optional<PgBench> find(Bench bench) throws IOException {
        Optional<Path> program = Stream.concat(
                Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(Path::of),
                Stream.of(18, 17, 16, 15).map(version -> Path.of("/usr/lib/postgresql/" + version + "/bin")))
                .map(folder -> folder.resolve(NAME)).filter(Files::isExecutable).findFirst();
        if (program.isEmpty()) {
            bench.progress().say("NO PGBENCH ON THIS MACHINE: the rows that compare with it are missing");
            return Optional.empty();
        }
        Path script = Files.writeString(bench.folder().resolve("pgbench.sql"), script());
        bench.server().get().newLedger(DATABASE);
        return Optional.of(new PgBench(program.get(), script, bench.server().get()));
    }

    static String script() {
        return NUMBERS + statement(PlainSql.claim()) + statement(PlainSql.record());
    }

    private static String statement(String sql) {
        String filled = sql;
        for (Map.Entry<String, String> value : values().entrySet()) {
            filled = filled.replaceAll("(?<!:):" + value.getKey() + "\\b", Matcher.quoteReplacement(value.getValue()));
        }
        return filled.strip().replaceAll("\\s*\\n\\s*", " ") + ";\n";
    }

    private static Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("id", ID);
        values.put("attempt", "cast(:b as bigint)");
        values.put("client", "'open'");
        values.put("key", "('bench-pgbench-' || cast(:a as bigint))");
        values.put("route", "'payments'");
        values.put("method", "'POST'");
        values.put("target", "'/payments'");
        values.put("fingerprint", "cast('\\x01" + "ab".repeat(32) + "' as bytea)");
        values.put("sentAs", "cast('\\x" + "cd".repeat(8) + "' as bytea)");
        values.put("lease", "40000000");
        values.put("releasedOnExpiry", "false");
        values.put("replicated", "false");
        values.put("status", "201");
        values.put("rejection", "false");
        values.put("succeeded", "true");
        values.put("entryKept", "cast(null as bigint)");
        values.put("rejectionKept", "3600000000");
        values.put("responseKept", "7776000000000");
        values.put("rejectedResponseKept", "3600000000");
        values.put("headers",
                bytes("Content-Type: application/json\r\nLocation: /payments/pay_182b8cd6601247325cc66785\r\n"));
        values.put("body", bytes(FixedDownstream.BODY));
        return values;
    }

    private static String bytes(String text) {
        StringBuilder hex = new StringBuilder("cast('\\x");
        for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
            hex.append(String.format("%02x", b));
        }
        return hex.append("' as bytea)").toString();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Look look(Bench bench, int callers) throws Exception {
        long seconds = Math.max(1, Math.round(bench.look().toMillis() / 1_000.0));
        for (int rampUp = 1 + callers / SESSIONS_A_SECOND;; rampUp *= 2) {
            String printed = run(List.of(
                    program.toString(), "-n", "-M", "prepared", "-f", script.toString(), "-c", String.valueOf(callers),
                    "-j",
                    "1", "-T", String.valueOf(rampUp + seconds), "-P", "1", "-h", "127.0.0.1", "-p",
                    String.valueOf(server.port()), "-U", "postgres", DATABASE));
            double rate = rate(printed, rampUp);
            if (rate > 0) {
                return Look.ofRate(rate);
            }
            // On a machine that is busy with something else, so many sessions are not there yet.
            if (rampUp > LONGEST_RAMP_UP_SECONDS) {
                throw new IllegalStateException("pgbench did nothing:\n" + printed);
            }
        }
    }

    /// Of the seconds after the first ones, in which each session reads the catalogue and plans; 0: it has not said.
    static double rate(String printed, int rampUp) {
        return SECOND.matcher(printed).results()
                .filter(it -> Double.parseDouble(it.group(1)) > rampUp + 0.5)
                .mapToDouble(it -> Double.parseDouble(it.group(2))).average().orElse(0);
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("pgbench failed:\n" + printed);
            }
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}

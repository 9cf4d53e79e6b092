package dev.latchkey.scenarios;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.latchkey.testing.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// A `psql` for machines without one, as far as the page needs it: `-q`, `-A`, `-t`, `-v ON_ERROR_STOP=1`, one `-c`, or
/// statements that end with a line's end as its input, in one session that ends with the input. The command itself is a
/// script that asks this process. [PsqlStandInIT] compares it with the real one. Safe for any number of threads.
final class PsqlStandIn implements AutoCloseable {

    /// Its arguments go as one header field; its input is passed on as it comes.
    private static final String SCRIPT = """
            #!/bin/bash
            arguments=$(printf '%s\\0' "$@" | base64 | tr -d '\\n')
            [[ " $* " == *" -c "* ]] && input=/dev/null || input=.
            exec curl -N --no-progress-meter --fail-with-body -X POST -T "$input" -H "Arguments: $arguments" \\
                http://127.0.0.1:PORT/ 2> /dev/null
            """;

    private final TestPostgres database;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// How it was called.
    private record Call(boolean plain, boolean stops, @Nullable String command) {

        static Call of(List<String> arguments, String warehouse) {
            boolean plain = false;
            boolean stops = false;
            String command = null;
            for (int i = 0; i < arguments.size(); i++) {
                String argument = arguments.get(i);
                if (argument.equals("-c")) {
                    command = arguments.get(++i);
                } else if (argument.equals("-v") && arguments.get(i + 1).equals("ON_ERROR_STOP=1")) {
                    stops = true;
                    i++;
                } else if (argument.equals("-qAt")) {
                    plain = true;
                } else if (!argument.equals("-q") && !argument.equals(warehouse)) {
                    throw new IllegalArgumentException("the stand-in for psql does not know " + argument);
                }
            }
            return new Call(plain, stops, command);
        }
    }

    private PsqlStandIn(TestPostgres database, HttpServer server) {
        this.database = database;
        this.server = server;
    }

    /// Puts the command into that folder.
    static PsqlStandIn start(TestPostgres database, Path folder) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        PsqlStandIn standIn = new PsqlStandIn(database, server);
        server.setExecutor(standIn.threads);
        server.createContext("/", standIn::answer);
        server.start();
        Path script =
                Files.writeString(folder.resolve("psql"), SCRIPT.replace("PORT", "" + server.getAddress().getPort()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return standIn;
    }

    /// The database as `psql` is told it.
    static String address(TestPostgres database) {
        return database.url().substring("jdbc:".length())
                .replace("//", "//" + database.user() + ":" + database.password() + "@");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            StringBuilder out = new StringBuilder();
            int status = 200;
            try {
                String arguments = new String(Base64.getDecoder().decode(
                        exchange.getRequestHeaders().getFirst("Arguments")), StandardCharsets.UTF_8);
                Call call = Call.of(List.of(arguments.split("\0")), address(database));
                status = session(call, exchange.getRequestBody(), out) ? 200 : 400;
            } catch (IllegalArgumentException | SQLException e) {
                out.append(e.getMessage()).append('\n');
                status = 400;
            }
            byte[] answer = out.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private boolean session(Call call, java.io.InputStream input, StringBuilder out) throws IOException, SQLException {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            if (call.command() != null) {
                return run(statement, call.command(), call.plain(), out);
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
            StringBuilder sql = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                sql.append(line).append('\n');
                if (line.stripTrailing().endsWith(";")) {
                    if (!run(statement, sql.toString(), call.plain(), out) && call.stops()) {
                        return false;
                    }
                    sql.setLength(0);
                }
            }
            return true;
        }
    }

    private static boolean run(Statement statement, String sql, boolean plain, StringBuilder out) throws SQLException {
        try {
            boolean rows = statement.execute(sql);
            while (rows || statement.getUpdateCount() >= 0) {
                if (rows) {
                    try (ResultSet result = statement.getResultSet()) {
                        out.append(plain ? PsqlTable.plain(result) : PsqlTable.aligned(result));
                    }
                }
                rows = statement.getMoreResults();
            }
            return true;
        } catch (PSQLException e) {
            ServerErrorMessage error = e.getServerErrorMessage();
            if (error == null) {
                throw e;
            }
            line(out, error.getSeverity(), error.getMessage());
            line(out, "DETAIL", error.getDetail());
            line(out, "HINT", error.getHint());
            return false;
        }
    }

    private static void line(StringBuilder out, @Nullable String name, @Nullable String text) {
        if (text != null) {
            out.append(name).append(":  ").append(text).append('\n');
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

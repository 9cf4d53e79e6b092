package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Runs `pipelines.md`: every block of every section, in its order, in an empty folder, and compares what it prints with
/// what the page says it prints. How to write a section:
///
/// - It begins with `## 7 Stream consumer`: the number of the scenario and its name. The section `Before you start` comes
///   first; the files it saves are in the folder of every section.
/// - A `console` block holds commands, each behind `$ `, with what it prints below it. A command may go on over lines that
///   end with a backslash. Each runs in a `bash` of its own, with `WAREHOUSE` set and `psql` on the path. A command that is
///   killed prints `Killed`. Its exit status is not looked at: let it print what matters.
/// - An `sql` block is the input of `psql -q "$WAREHOUSE"`; a `text` block right below it is what that prints. Where the
///   machine has no `psql` there is a stand-in that knows a few options: [PsqlStandIn].
/// - A block that begins with a comment that names a file, `# job.py` or `-- load.sql`, is that file. Python is Python 3 with its
///   standard library only. A block that would not be run fails this test.
/// - Say `localhost:8080`, `localhost:8081` and `localhost:9090` for gateway, sandbox and management port, and make
///   the effects countable: `python3 effects.py --from-now` begins to count, `python3 effects.py` says how many since.
/// - Keys, tables and bodies are the section's own, since all sections share one gateway and one warehouse. It drops its
///   tables at its end.
/// - Ids, dates and times of day in HTTP and JSON may differ from the page; nothing else may.
@QuickStart.Started
final class PipelinesIT {

    private static final Path PAGE = Path.of("src/site/markdown/pipelines.md");
    private static final String SHARED = "Before you start";

    /// What differs from run to run, and what stands for it.
    private static final List<String[]> VARYING = List.of(
            new String[] {"[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT", "DATE"},
            new String[] {"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "TIME"},
            new String[] {"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID"},
            new String[] {"(pay|ntf)_[0-9a-f]{24}", "$1_ID"},
            new String[] {"\r", ""});

    private final QuickStart quickStart;

    PipelinesIT(QuickStart quickStart) {
        this.quickStart = quickStart;
    }

    @TestFactory
    List<DynamicTest> sectionsPrintWhatThePageSays() throws IOException {
        List<Section> sections = sections();
        Section shared = sections.getFirst();
        assertThat(shared.title()).isEqualTo(SHARED);
        List<DynamicTest> tests = new ArrayList<>();
        for (Section section : sections) {
            tests.add(DynamicTest.dynamicTest(section.title(), () -> follow(shared, section)));
        }
        return tests;
    }

    @Test
    void everyScenarioHasItsSection() throws IOException {
        List<Integer> numbers = sections().stream().map(Section::title).filter(title -> title.matches("\\d+ .*"))
                .map(title -> Integer.valueOf(title.substring(0, title.indexOf(' ')))).toList();
        assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, 14).boxed().toList());
    }

    private static List<Section> sections() throws IOException {
        return Section.of(Files.readString(PAGE));
    }

    private void follow(Section shared, Section section) throws SQLException {
        Assumptions.assumeTrue(Shell.has("python3"), "NOT RUN, since there is no python3: " + section.title());
        Shell shell = quickStart.shell();
        quickStart.files(shared).forEach(shell::save);
        try {
            for (Snippet snippet : section.snippets()) {
                follow(shell, snippet);
            }
            assertThat(tables()).as("left in the warehouse by " + section.title()).isEmpty();
        } finally {
            quickStart.warehouse().run("drop schema public cascade; create schema public");
        }
    }

    private void follow(Shell shell, Snippet snippet) {
        switch (snippet) {
            case Snippet.Save(String name, String text) -> shell.save(name, quickStart.here(text));
            case Snippet.Command(String command, String output) ->
                    compare(command, shell.run(quickStart.here(command)), output);
            case Snippet.Sql(String text, String output) ->
                    compare(text, shell.run("psql -q \"$WAREHOUSE\"", text), output);
        }
    }

    private void compare(String snippet, Shell.Ran ran, String output) {
        assertThat(masked(quickStart.there(ran.printed()))).as(snippet).isEqualTo(masked(output));
    }

    private static String masked(String text) {
        String masked = text;
        for (String[] varying : VARYING) {
            masked = masked.replaceAll(varying[0], varying[1]);
        }
        return Shell.trimmed(masked);
    }

    private List<String> tables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = quickStart.warehouse().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select table_name from information_schema.tables"
                        + " where table_schema = 'public'")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }
}

package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Decision 20: the name of a migration says whether older programs go on, and what it does is what its name says.
class MigrationsTest {

    /// The last one is a test's, of a program to come.
    private static final List<Path> FOLDERS = List.of(
            Path.of("src/main/resources/db/migration"), Path.of("src/main/resources/db/engine"),
            Path.of("src/test/resources/dev/latchkey/e2e/newer"));

    private static final Pattern NAME = Pattern.compile("V(\\d+)__(.+)\\.sql");
    /// Those from before there was a rule.
    private static final int EXCUSED = 3;

    private static final Pattern DEMANDS = Pattern.compile("not null(?!.*default)|unique|primary key|references|check");

    private static List<Path> migrations() throws IOException {
        List<Path> migrations = new ArrayList<>();
        for (Path folder : FOLDERS) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> version(file) > EXCUSED).forEach(migrations::add);
            }
        }
        return migrations;
    }

    private static int version(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Integer.parseInt(name.group(1)) : 0;
    }

    @Test
    void everyMigrationSaysWhatItIsToOlderPrograms() throws IOException {
        assertThat(migrations()).isNotEmpty().allSatisfy(
                file -> assertThat(file.getFileName().toString()).matches("V\\d+__(expand|contract)_.+\\.sql"));
    }

    @Test
    void whatExpandsOnlyAdds() throws IOException {
        for (Path file : migrations()) {
            if (file.getFileName().toString().contains("__expand_")) {
                assertThat(statements(Files.readString(file))).as(file.toString()).allMatch(MigrationsTest::onlyAdds);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "drop table response", "alter table entry drop column target", "alter table entry rename to entries",
        "alter table entry add column note text not null", "alter table entry alter column target drop default",
        "alter table entry add column a text, add column b text not null", "update entry set state = 1",
        "alter table entry add column a text, drop column b", "create unique index one on entry (client)",
        "alter table entry add constraint positive check (attempts > 0)", "truncate entry_event",
        "alter table entry add column code text check (code <> '')"
    })
    void whatMoreThanAddsIsSeen(String statement) {
        assertThat(onlyAdds(statement)).isFalse();
    }

    private static List<String> statements(String sql) {
        String plain = sql.replaceAll("--[^\n]*", " ").replaceAll("'[^']*'", "''").replaceAll("\\s+", " ");
        return Arrays.stream(plain.toLowerCase(Locale.ROOT).split(";")).map(String::strip)
                .filter(statement -> !statement.isEmpty()).toList();
    }

    private static boolean onlyAdds(String statement) {
        if (statement.matches("(create table|create index|comment on) .*")) {
            return true;
        }
        Matcher alter = Pattern.compile("alter table \\S+ (.*)").matcher(statement);
        return alter.matches() && Arrays.stream(alter.group(1).split(",(?![^(]*\\))")).map(String::strip)
                .allMatch(action -> action.startsWith("add column ") && !DEMANDS.matcher(action).find());
    }
}

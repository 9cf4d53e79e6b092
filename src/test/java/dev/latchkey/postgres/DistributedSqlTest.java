package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The plain writer's SQL keeps to what distributed engines that speak PostgreSQL can do. What only PostgreSQL does stands
/// apart, in `db/engine` and in the batched writer's statements.
class DistributedSqlTest {

    private static final Pattern KEY =
            Pattern.compile("\\b(?:primary key|unique)(?: index \\S+ on \\S+(?: using \\S+)?)?(?: \\(([^)]*)\\))?");

    private static Map<String, String> statements() {
        Map<String, String> statements = new TreeMap<>();
        for (Class<?> holder : List.of(ClaimSql.class, SettleSql.class, ReadSql.class, UpkeepSql.class)) {
            for (Field field : holder.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) {
                    String name = holder.getSimpleName() + "." + field.getName();
                    switch (value(field)) {
                        case String text -> statements.put(name, plain(text));
                        case UpkeepSql.Kind kind -> {
                            statements.put(name + ".stretch", plain(kind.stretch()));
                            statements.put(name + ".moment", plain(kind.moment()));
                        }
                        default -> throw new AssertionError(name + " is neither a statement nor some");
                    }
                }
            }
        }
        return statements;
    }

    private static Object value(Field field) {
        try {
            field.setAccessible(true);
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> migrations() throws IOException, URISyntaxException {
        Map<String, String> migrations = new TreeMap<>();
        Path folder = Path.of(Objects.requireNonNull(
                DistributedSqlTest.class.getClassLoader().getResource("db/migration")).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                migrations.put(file.getFileName().toString(), plain(Files.readString(file)));
            }
        }
        return migrations;
    }

    /// Without comments and quoted text, in lower case, its white space single.
    private static String plain(String sql) {
        return sql.replaceAll("--[^\n]*", " ").replaceAll("'[^']*'", "''").replaceAll("\\s+", " ")
                .toLowerCase(Locale.ROOT);
    }

    @Test
    void statementsAndMigrationsAreFound() throws Exception {
        assertThat(statements()).hasSizeGreaterThan(25).containsKeys("ClaimSql.FIRST", "UpkeepSql.RELEASED.stretch");
        assertThat(migrations()).containsKey("V1__ledger.sql");
    }

    @Test
    void everyUniqueConstraintHoldsTheDistributionColumn() throws Exception {
        List<String> keys = new ArrayList<>();
        migrations().forEach((name, sql) -> {
            Matcher key = KEY.matcher(sql);
            while (key.find()) {
                // Of a column by itself, its name comes before.
                String columns = key.group(1) == null ? columnBefore(sql, key.start()) : key.group(1);
                keys.add(name + ": " + columns);
            }
        });

        assertThat(keys).isNotEmpty().allSatisfy(key -> assertThat(key).matches(".*\\bentry_id\\b.*"));
    }

    private static String columnBefore(String sql, int at) {
        String before = sql.substring(0, at);
        return before.substring(Math.max(before.lastIndexOf(','), before.lastIndexOf('(')) + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "\\b(small|big)?serial\\b", "\\bidentity\\b", "\\bsequence\\b", "\\bnextval\\b", "\\badvisory", "\\blisten\\b",
        "\\bnotify\\b", "\\bpg_notify\\b", "\\btrigger\\b", "\\bxm(ax|in)\\b", "\\bctid\\b", "\\bskip locked\\b",
        "\\bforeign key\\b", "\\breferences\\b", "\\bclock_timestamp\\b", "\\bgen_random_uuid\\b", "\\bdo \\$"
    })
    void nothingThatOthersDoNotHaveOrSilentlyIgnore(String pattern) throws Exception {
        Map<String, String> all = statements();
        all.putAll(migrations());

        assertThat(all).allSatisfy((name, sql) -> assertThat(sql).as(name).doesNotContainPattern(pattern));
    }

    @Test
    void clockIsNotReadWhereAConflictIsResolved() {
        assertThat(statements()).allSatisfy((name, sql) -> assertThat(clauses(sql, "do update set")).as(name)
                .noneMatch(clause -> clause.contains("now()")));
    }

    @Test
    void clockIsNotReadInReturning() {
        assertThat(statements()).allSatisfy((name, sql) -> assertThat(clauses(sql, "returning")).as(name)
                .noneMatch(clause -> clause.contains("now()")));
    }

    /// What follows the word, up to the end of its statement, which in a CTE is its bracket.
    private static List<String> clauses(String sql, String word) {
        List<String> clauses = new ArrayList<>();
        for (int at = sql.indexOf(word); at >= 0; at = sql.indexOf(word, at + 1)) {
            int depth = 0;
            int end = at;
            while (end < sql.length() && depth >= 0) {
                depth += sql.charAt(end) == '(' ? 1 : sql.charAt(end) == ')' ? -1 : 0;
                end++;
            }
            clauses.add(sql.substring(at, end));
        }
        return clauses;
    }

    @Test
    void clausesAreFound() {
        assertThat(clauses("with a as (insert x returning (b), now()) select now()", "returning"))
                .containsExactly("returning (b), now())");
        assertThat(statements().values().stream().flatMap(sql -> clauses(sql, "do update set").stream()))
                .hasSizeGreaterThan(2);
    }
}

package dev.latchkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.server.GatewaySettings;
import dev.latchkey.telemetry.LogEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The documents speak of the code as it is: what they name exists, and where they lead there is something.
class DocsTest {

    private static final Path TOP = Path.of("").toAbsolutePath();
    private static final Path DOCS = TOP.resolve("src/site/markdown");
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.(\\w+))?`");
    private static final Pattern PLACED = Pattern.compile("\\b([a-z]+)\\.([A-Z][a-z]\\w*)");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    private static final Map<String, List<String>> SOURCES = sources();

    @ParameterizedTest
    @ValueSource(strings = {"design.md", "operating.md"})
    void everyClassThatIsNamedExists(String document) {
        assertThat(matches(NAMED, read(DOCS.resolve(document))))
                .filteredOn(name -> !exists(name.group(1), name.group(2)))
                .extracting(MatchResult::group).as(document).isEmpty();
    }

    @Test
    void theWalkNamesClassesInTheirPackages() {
        List<MatchResult> placed = matches(PLACED, read(DOCS.resolve("design.md")));
        assertThat(placed).extracting(MatchResult::group).contains("server.Front", "gateway.IdempotentCall");
        assertThat(placed).allSatisfy(name -> assertThat(
                TOP.resolve("src/main/java/dev/latchkey/" + name.group(1) + "/" + name.group(2) + ".java")).exists());
    }

    @Test
    void everyRelativeLinkLeadsSomewhere() {
        List<String> dead = new ArrayList<>();
        for (Path document : documents()) {
            for (MatchResult link : matches(LINK, read(document))) {
                String target = link.group(1);
                if (!target.contains("://") && !leads(document, target)) {
                    dead.add(TOP.relativize(document) + ": " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void everyLogEventIsExplained() {
        List<String> rows = read(DOCS.resolve("operating.md")).lines().filter(line -> line.startsWith("| `")).toList();
        assertThat(LogEvent.values()).extracting(LogEvent::wireName)
                .filteredOn(event -> rows.stream().noneMatch(row -> row.split("\\|")[1].contains("`" + event + "`")))
                .isEmpty();
    }

    /// Else a connection dies under a call.
    @Test
    void balancersDropIdleConnectionsBeforeTheGatewayDoes() {
        long idle = GatewaySettings.USUAL_IDLE.toSeconds();
        String page = read(DOCS.resolve("operating.md")).replace('\n', ' ');
        assertThat(page).contains("closes a connection that was idle for " + idle + " s;");
        assertThat(matches(Pattern.compile("earlier \\(nginx: (\\d+) s, haproxy: (\\d+) s\\)"), page)).singleElement()
                .satisfies(theirs -> assertThat(List.of(theirs.group(1), theirs.group(2)))
                        .allSatisfy(each -> assertThat(Long.parseLong(each)).isLessThan(idle)));
    }

    @Test
    void recommendedConfigurationsDropIdleConnectionsBeforeTheGatewayDoes() {
        long idle = GatewaySettings.USUAL_IDLE.toSeconds();
        String page = read(DOCS.resolve("operating.md"));
        assertThat(seconds("(?s)```nginx\\nupstream latchkey \\{[^}]*keepalive_timeout (\\d+)s;", page))
                .isLessThan(idle);
        // It drops them with the caller's connection, where each has its own.
        assertThat(page).contains("\n    http-reuse never\n");
        assertThat(seconds("\\n    timeout http-keep-alive (\\d+)s\\n", page)).isLessThan(idle);
    }

    private static long seconds(String directive, String page) {
        List<MatchResult> found = matches(Pattern.compile(directive), page);
        assertThat(found).as(directive).hasSize(1);
        return Long.parseLong(found.getFirst().group(1));
    }

    @Test
    void everyDecisionIsListedInTheDesign() throws IOException {
        try (Stream<Path> decisions = Files.list(DOCS.resolve("decisions"))) {
            String design = read(DOCS.resolve("design.md"));
            assertThat(decisions).isNotEmpty()
                    .filteredOn(decision -> !design.contains("(decisions/" + decision.getFileName() + ")")).isEmpty();
        }
    }

    /// @param member a method, constant, nested type or test; null: only the class is named
    private static boolean exists(String type, @Nullable String member) {
        return SOURCES.getOrDefault(type, List.of()).stream()
                .anyMatch(text -> member == null || Pattern.compile("\\b" + member + "\\b").matcher(text).find());
    }

    private static boolean leads(Path document, String target) {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path led = file.isEmpty() ? document : document.resolveSibling(file).normalize();
        return Files.exists(led) && (hash < 0 || headings(led).contains(target.substring(hash + 1)));
    }

    /// As the renderers of Markdown name them.
    private static List<String> headings(Path document) {
        return read(document).lines().filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private static List<Path> documents() {
        List<Path> documents = new ArrayList<>(filesUnder(DOCS, ".md"));
        documents.add(TOP.resolve("README.md"));
        return documents;
    }

    private static Map<String, List<String>> sources() {
        Map<String, List<String>> sources = new HashMap<>();
        for (Path file : filesUnder(TOP.resolve("src"), ".java")) {
            String name = file.getFileName().toString().replace(".java", "");
            sources.computeIfAbsent(name, type -> new ArrayList<>()).add(read(file));
        }
        return sources;
    }

    private static List<Path> filesUnder(Path start, String end) {
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}

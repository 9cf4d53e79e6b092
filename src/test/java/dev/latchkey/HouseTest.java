package dev.latchkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// House rules that a look at the text can hold.
class HouseTest {

    private static final Path TOP = Path.of("").toAbsolutePath();
    private static final Set<String> TOP_LEVEL = Set.of(
            "pom.xml", "README.md", "Dockerfile", "src", "openapi", "k8s", "target");
    private static final Set<String> NOT_OURS = Set.of(".git", ".idea", ".vscode", ".latchkey", "target");
    private static final Set<String> TEXTS = Set.of(
            "java", "md", "xml", "yaml", "yml", "sql", "properties", "sh", "html", "css", "js", "run", "Dockerfile");

    private static final List<Text> TEXT = read();

    private record Text(String path, List<String> lines) {

        boolean isTest() {
            return path.startsWith("src/test/java/");
        }

        boolean isJava() {
            return path.endsWith(".java");
        }

        boolean has(String word) {
            return lines.stream().anyMatch(line -> line.contains(word));
        }
    }

    @Test
    void theTextsAreLookedAt() {
        assertThat(TEXT).extracting(Text::path).contains("pom.xml", "src/main/java/dev/latchkey/Main.java",
                "src/test/java/dev/latchkey/HouseTest.java");
    }

    @Test
    void nothingIsLeftForLater() {
        assertThat(linesWith("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b")).isEmpty();
    }

    @Test
    void nobodyPromisesWhatNobodyCanKeep() {
        assertThat(linesWith("(?i)exactly[ -]" + "once")).isEmpty();
    }

    @Test
    void noTestIsSwitchedOff() {
        assertThat(linesWith("@Dis" + "abled\\b")).isEmpty();
    }

    @Test
    void noPathOfAMachineIsNamed() {
        assertThat(linesWith("/wor" + "k/(wt|main|shared)|/usr/lib" + "/jvm/\\w|/ho" + "me/\\w|C:\\\\Us" + "ers"))
                .isEmpty();
    }

    @Test
    void nothingIsMocked() {
        assertThat(linesWith("(?i)(mock" + "ito|easy" + "mock|jmock" + "it|power" + "mock)")).isEmpty();
    }

    @Test
    void javaFilesBeginWithTheirPackage() {
        assertThat(TEXT).filteredOn(Text::isJava).filteredOn(file -> !file.path.endsWith("package-info.java"))
                .allSatisfy(file -> assertThat(file.lines.getFirst()).as(file.path).startsWith("package "));
    }

    /// Surefire and Failsafe pass over any other name without a word.
    @Test
    void everyTestHasANameThatIsRun() {
        Predicate<Text> tests = file -> file.has("@" + "Test") || file.has("@Parameterized" + "Test");
        Predicate<Text> inherited = file -> file.has("abstract class ") || file.has("interface ");
        assertThat(TEXT).filteredOn(Text::isTest).filteredOn(tests.and(inherited.negate())).extracting(Text::path)
                .allMatch(path -> path.endsWith("Test.java") || path.endsWith("IT.java"));
    }

    @Test
    void theTopLevelStaysSmall() throws IOException {
        try (Stream<Path> files = Files.list(TOP)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> !name.startsWith(".")))
                    .isSubsetOf(TOP_LEVEL);
        }
    }

    private static List<String> linesWith(String pattern) {
        Predicate<String> matches = Pattern.compile(pattern).asPredicate();
        List<String> found = new ArrayList<>();
        for (Text text : TEXT) {
            for (int i = 0; i < text.lines.size(); i++) {
                if (matches.test(text.lines.get(i))) {
                    found.add(text.path + ":" + (i + 1) + ": " + text.lines.get(i).strip());
                }
            }
        }
        return found;
    }

    private static List<Text> read() {
        try (Stream<Path> top = Files.list(TOP)) {
            return top.filter(file -> !NOT_OURS.contains(file.getFileName().toString())).flatMap(HouseTest::filesUnder)
                    .filter(HouseTest::isText).map(HouseTest::text).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> filesUnder(Path start) {
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isText(Path file) {
        String name = file.getFileName().toString();
        return TEXTS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    private static Text text(Path file) {
        try {
            return new Text(TOP.relativize(file).toString().replace('\\', '/'), Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}

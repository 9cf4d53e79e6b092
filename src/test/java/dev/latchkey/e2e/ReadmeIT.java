package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Runs the README: its commands, in their order, against a demo, and compares what they print with what it says they
/// print. Only ids, times and ports may differ.
final class ReadmeIT {

    private static final Pattern CONSOLE = Pattern.compile("(?ms)^```console\\n(.*?)^```$");
    private static final String GATEWAY = "localhost:8080";
    private static final String SANDBOX = "localhost:8081";
    private static final Pattern SANDBOX_PORT = Pattern.compile("sandbox +http://127\\.0\\.0\\.1:(\\d+)");

    /// What differs from run to run, and what stands for it.
    private static final List<String[]> VARYING = List.of(
            new String[] {"[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT", "DATE"},
            new String[] {"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "TIME"},
            new String[] {"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID"},
            new String[] {"pay_\\w+", "PAYMENT"},
            new String[] {"\r", ""});

    /// A command and what it is said to print.
    private record Step(String command, String output) {}

    @TestFactory
    List<DynamicTest> commandsPrintWhatTheReadmeSays(@TempDir Path folder) throws IOException {
        List<Step> steps = steps(Files.readString(Path.of("README.md")));
        assertThat(steps).as("the README shows a first call, its replay and a mismatch").hasSizeGreaterThanOrEqualTo(3);
        try (Replica demo = Replica.demo(folder)) {
            String gateway = "localhost:" + demo.port();
            String sandbox = "localhost:" + sandboxPort(demo.program());
            List<DynamicTest> tests = new ArrayList<>();
            for (Step step : steps) {
                String printed = run(step.command().replace(GATEWAY, gateway).replace(SANDBOX, sandbox))
                        .replace(gateway, GATEWAY)
                        .replace(sandbox, SANDBOX);
                tests.add(DynamicTest.dynamicTest(
                        step.command(), () -> assertThat(masked(printed)).isEqualTo(masked(step.output()))));
            }
            return tests;
        }
    }

    private static String sandboxPort(Program program) {
        Matcher line = SANDBOX_PORT.matcher(program.awaitLine(printed -> SANDBOX_PORT.matcher(printed).find()));
        assertThat(line.find()).isTrue();
        return line.group(1);
    }

    private static List<Step> steps(String readme) {
        List<Step> steps = new ArrayList<>();
        for (String block : CONSOLE.matcher(readme).results().map(found -> found.group(1)).toList()) {
            for (String part : block.split("(?m)^\\$ ", -1)) {
                if (!part.isBlank()) {
                    steps.add(step(part));
                }
            }
        }
        return steps;
    }

    private static Step step(String part) {
        MatchResult command =
                Pattern.compile("(?s)\\A(?:[^\\n]*\\\\\\n)*[^\\n]*").matcher(part).results().findFirst().orElseThrow();
        return new Step(command.group(), part.substring(command.end()).strip());
    }

    private static String masked(String text) {
        String masked = text.strip();
        for (String[] varying : VARYING) {
            masked = masked.replaceAll(varying[0], varying[1]);
        }
        return masked.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
    }

    private static String run(String command) {
        try {
            Process process = new ProcessBuilder("bash", "-c", command).redirectErrorStream(true).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return printed;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

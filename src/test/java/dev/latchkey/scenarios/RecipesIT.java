package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the page's recipes do where things go wrong. The task and the shell scripts are run as they stand. Airflow, Dagster
/// and dbt themselves are NOT run: in their place are modules of a few lines that know the names and options that the
/// recipes use, and do with the task's exceptions what the real ones document.
@QuickStart.Started
final class RecipesIT {

    private static final Path PAGE = Path.of("src/site/markdown/pipelines.md");
    private static final Path STAND_INS = Path.of("src/test/resources/dev/latchkey/scenarios/standins");
    private static final Pattern METRIC = Pattern.compile("latchkey_\\w+");

    /// Puts keys of orders 1001 and 1002 into the states that a task may find, each day in others.
    private static final String TROUBLE = """
            from pipeline import post

            def trouble(order, day, fault=None, template="shipped"):
                fields = {"Sandbox_Fault": fault} if fault else {}
                print(*post("http://localhost:8080/notifications", f"order-shipped:{order}:{day}",
                            {"template": template, "order_id": order, "run_date": day}, **fields))

            trouble(1001, "2026-04-02", template="delayed")
            trouble(1002, "2026-04-02", "drop-after")
            trouble(1001, "2026-04-03", "status=404")
            trouble(1002, "2026-04-03", "status=429")
            """;

    /// Takes the memory of one call out of the ledger, as an operator does.
    private static final String ERASE = """
            import json, urllib.request

            entries = "http://localhost:9090/operator/entries"
            found = json.load(urllib.request.urlopen(entries + "?key=order-shipped:1001:2026-04-06"))
            erase = urllib.request.Request(entries + "/" + found["entries"][0]["entry_id"], b'{"reason": "asked for"}',
                                           {"Content-Type": "application/json"}, method="DELETE")
            print(urllib.request.urlopen(erase).status)
            """;

    private final QuickStart quickStart;
    private final Map<String, String> files = new HashMap<>();
    private final Shell shell;

    RecipesIT(QuickStart quickStart) throws IOException {
        this.quickStart = quickStart;
        this.shell = quickStart.shell();
        for (Section section : Section.of(Files.readString(PAGE))) {
            if (section.title().equals("Before you start") || section.title().equals("Recipes")) {
                files.putAll(quickStart.files(section));
            }
        }
        files.put("trouble.py", quickStart.here(TROUBLE));
        files.put("erase.py", quickStart.here(ERASE));
        files.forEach(shell::save);
        shell.expect("cp -r " + STAND_INS.toAbsolutePath() + "/. . && chmod +x dbt");
    }

    @BeforeEach
    void pythonIsThere() {
        Assumptions.assumeTrue(Shell.has("python3"), "NOT RUN, since there is no python3");
    }

    @Test
    void schedulersRetryWhatIsNotSettledAndStopAtTheRest() throws IOException {
        assertThat(lines("python3 trouble.py")).containsExactly(
                "202 fresh", "502 outcome-unknown", "404 about:blank", "429 about:blank");
        assertThat(lines("python3 run_airflow.py none 2026-04-01 2026-04-02 2026-04-03")).containsExactly(
                "none 1001 failed on try 1 a run without a logical date has no key",
                "none 1002 failed on try 1 a run without a logical date has no key",
                "2026-04-01 1001 fresh on try 1",
                "2026-04-01 1002 fresh on try 1",
                "2026-04-02 1001 failed on try 1 422 key-reused",
                "2026-04-02 1002 failed on try 1 409 outcome-unknown",
                "2026-04-03 1001 failed on try 1 the service answered 404",
                "2026-04-03 1002 fresh on try 1");
        assertThat(lines("python3 run_dagster.py 2026-04-01 2026-04-02 2026-04-04")).containsExactly(
                "2026-04-01 1001 replayed",
                "2026-04-01 1002 replayed",
                "2026-04-02 failed on try 1 422 key-reused",
                "2026-04-04 1001 fresh",
                "2026-04-04 1002 fresh");
        String metrics = shell.expect("curl -s " + quickStart.here("localhost:9090/metrics"));
        assertThat(metrics).contains("answer=\"key-reused\"");
        String page = Files.readString(PAGE);
        assertThat(METRIC.matcher(page.substring(page.indexOf("## Recipes"))).results().map(MatchResult::group))
                .isNotEmpty().allSatisfy(name -> assertThat(metrics).containsPattern("(?m)^" + name + "[ {]"));
    }

    @Test
    void aGatewayThatIsAwayIsTriedAgain() {
        String task = Objects.requireNonNull(files.get("shipping.py"));
        shell.save("shipping.py", task.replaceAll("localhost:\\d+", "localhost:1"));
        assertThat(lines("python3 run_airflow.py 2026-04-05")).containsExactly(
                "2026-04-05 1001 given up after try 6 no answer", "2026-04-05 1002 given up after try 6 no answer");
        assertThat(lines("python3 run_dagster.py 2026-04-05")).hasSize(6).last()
                .isEqualTo("2026-04-05 failed on try 6 no answer");
        Shell hasty = shell.with("PAUSES", "0 0 0");
        quickStart.warehouse()
                .run("create table shipments as select 1001 as order_id, date '2026-04-05' as shipped_on");
        Shell.Ran away = hasty.run("bash nightly.sh 2026-04-05");
        assertThat(away.status()).isEqualTo(75);
        assertThat(away.printed().lines()).hasSize(3).allMatch(line -> line.startsWith("no answer: "));
        shell.save("shipping.py", task);
        assertThat(hasty.expect("bash nightly.sh 2026-04-05")).isEqualTo("1001 fresh");
        quickStart.warehouse().run("drop table shipments");
        assertThat(hasty.run("bash nightly.sh 2026-04-05").status()).as("the query fails").isNotIn(0, 75);
    }

    @Test
    void whatIsDoneAndNoLongerKeptIsDone() {
        assertThat(lines("echo 1001 | python3 shipping.py 2026-04-06")).containsExactly("1001 fresh");
        assertThat(lines("python3 erase.py")).containsExactly("200");
        assertThat(lines("echo 1001 | python3 shipping.py 2026-04-06")).containsExactly("1001 replayed");
    }

    @Test
    void aModelFindsWhatIsDueAndTheNextTaskSendsIt() {
        Shell withDbt = shell.with("PATH", shell.folder() + ":" + shell.environment().get("PATH"));
        quickStart.warehouse().run("create table shipments as select 1001 as order_id, date '2026-04-07' as shipped_on"
                + " union all select 1002, date '2026-04-08'");
        try {
            assertThat(withDbt.expect("bash dbt_mails.sh 2026-04-07")).isEqualTo("1001 fresh");
            assertThat(withDbt.expect("bash dbt_mails.sh 2026-04-07")).isEqualTo("1001 replayed");
            assertThat(withDbt.expect("bash dbt_mails.sh 2026-04-08")).isEqualTo("1002 fresh");
        } finally {
            quickStart.warehouse().run("drop table if exists shipments, mails_due");
        }
    }

    /// What it prints, up to the colon of each line.
    private Stream<String> lines(String command) {
        return shell.expect(command).lines().map(line -> line.replaceAll(": .*", ""));
    }
}

package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The stand-in prints what the real program prints, where there is one to ask.
@QuickStart.Started
final class PsqlStandInIT {

    private static final String TABLES = """
            create table standin_orders (id bigint primary key, amount numeric(10,2), status text, day date, done bool);
            insert into standin_orders values (1001, 25.50, 'paid', '2026-01-04', true),
                                              (7, 1500.00, 'a longer status', '2026-01-05', null);
            select * from standin_orders order by id;
            select count(*) as n from standin_orders where id < 0;
            insert into standin_orders values (7, 1, 'twice', null, null);
            select id, status from standin_orders where id = 7;
            begin;
            delete from standin_orders;
            select sum(amount) from standin_orders;
            """;

    private final QuickStart quickStart;

    PsqlStandInIT(QuickStart quickStart) {
        this.quickStart = quickStart;
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "psql -q \"$WAREHOUSE\"", "psql -qAt -v ON_ERROR_STOP=1 \"$WAREHOUSE\"",
        "psql \"$WAREHOUSE\" -c \"select 1 as one, 'two' as two\"", "psql -qAt \"$WAREHOUSE\" -c \"select 1/0\""})
    void standInPrintsWhatPsqlPrints(String command) {
        Assumptions.assumeTrue(Shell.has("psql"), "NOT COMPARED, since there is no psql");
        Shell real = quickStart.shell();
        Shell other = real.with("PATH", quickStart.standIn() + ":" + System.getenv("PATH"));
        Shell.Ran said = ran(real, command);
        Shell.Ran standInSaid = ran(other, command);
        assertThat(Shell.trimmed(standInSaid.printed())).isEqualTo(Shell.trimmed(said.printed()));
        assertThat(standInSaid.status() == 0).isEqualTo(said.status() == 0);
    }

    private Shell.Ran ran(Shell shell, String command) {
        try {
            return shell.run(command, TABLES);
        } finally {
            quickStart.warehouse().run("drop table if exists standin_orders");
        }
    }
}

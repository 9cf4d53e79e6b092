package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

class TroubleTest {

    private static SQLException told(String severity, String state) {
        return new PSQLException(new ServerErrorMessage("S" + severity + "\0V" + severity + "\0C" + state + "\0Mno\0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"57014", "53100", "53200", "P0001", "42501", "55P03", "40P01", "22021"})
    void whatTheServerItselfRefusedItDidNotDo(String state) {
        assertThat(Trouble.isRefusal(new IllegalStateException(told("ERROR", state)))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "57P01", "40003", "XX000", "58030", "25006", "01000"})
    void whatItMayHaveDoneOrRefusesToAllIsNoRefusal(String state) {
        assertThat(Trouble.isRefusal(told("ERROR", state))).isFalse();
    }

    @Test
    void endOfASessionIsNoRefusal() {
        assertThat(Trouble.isRefusal(told("FATAL", "53300"))).isFalse();
        assertThat(Trouble
                .isRefusal(new SQLTransientConnectionException("none was free", "53300", told("FATAL", "53300"))))
                .isFalse();
        assertThat(Trouble.isRefusal(new IllegalStateException("no server in it"))).isFalse();
    }
}

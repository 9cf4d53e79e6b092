package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.e2e.Replica;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/// Scenario 8: a repeat is recognised after everything in memory has forgotten it.
@QuickStart.Started
final class LateCopyIT {

    private final QuickStart quickStart;

    LateCopyIT(QuickStart quickStart) {
        this.quickStart = quickStart;
    }

    @Test
    void copyIsRecognisedByAReplicaStartedAfterTheFirstWasKilled() {
        Replica killed = quickStart.start();
        assertThat(said(notify(killed, "late:killed"))).isEqualTo("202 false");
        killed.program().kill();
        assertThat(said(notify(quickStart.second(), "late:killed"))).isEqualTo("202 true");
        assertThat(said(notify(quickStart.gateway(), "late:killed"))).isEqualTo("202 true");
        assertThat(quickStart.notifications(body("late:killed"))).isEqualTo(1);
    }

    @Test
    void copyWithinItsRetentionIsReplayed() throws SQLException {
        Response first = notify(quickStart.gateway(), "late:within");
        pass(89, "late:within");
        Response copy = notify(quickStart.second(), "late:within");
        assertThat(said(copy)).isEqualTo("202 true");
        assertThat(copy.asString()).isEqualTo(first.asString());
        assertThat(quickStart.notifications(body("late:within"))).isEqualTo(1);
    }

    @Test
    void copyAfterItsRetentionIsToldSoAndNotSent() throws SQLException {
        assertThat(said(notify(quickStart.gateway(), "late:after"))).isEqualTo("202 false");
        pass(91, "late:after");
        Response copy = notify(quickStart.second(), "late:after");
        assertThat(copy.statusCode()).isEqualTo(410);
        assertThat(copy.jsonPath().getString("type")).isEqualTo("/problems/response-gone");
        assertThat(quickStart.notifications(body("late:after"))).isEqualTo(1);
    }

    private static Response notify(Replica replica, String key) {
        return replica.open().header("Idempotency-Key", key).contentType("application/json").body(body(key))
                .post("/notifications");
    }

    private static String body(String key) {
        return "{\"late\": \"" + key + "\"}";
    }

    private static String said(Response answer) {
        return answer.statusCode() + " " + answer.header("Idempotent-Replayed");
    }

    /// Lets that many days pass for one key: everything that the ledger says of it happened that much earlier.
    private void pass(int days, String key) throws SQLException {
        String entry = "update entry set claimed_at = claimed_at - d, first_forward_at = first_forward_at - d,"
                + " lease_until = lease_until - d, recorded_at = recorded_at - d, expires_at = expires_at - d"
                + " from (select make_interval(days => ?) as d) as passed where idempotency_key = ?";
        String response = "update response set expires_at = expires_at - make_interval(days => ?)"
                + " where entry_id = (select entry_id from entry where idempotency_key = ?)";
        try (Connection connection = quickStart.ledger().connect()) {
            for (String sql : new String[] {entry, response}) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setInt(1, days);
                    statement.setString(2, key);
                    assertThat(statement.executeUpdate()).isEqualTo(1);
                }
            }
        }
    }
}

package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/// What answers of one kind have in common, held at once.
final class Expect {

    private static final String HTTP_DATE = "[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT";

    private Expect() {}

    /// An answer made by a forward for this call, and recorded.
    static Response fresh(Response answer, int status) {
        return made(answer, status, "false", "recorded");
    }

    /// The downstream's answer, after which the entry stands so.
    static Response passed(Response answer, int status, String state) {
        return made(answer, status, "false", state);
    }

    /// An answer from the ledger.
    static Response replayed(Response answer, int status) {
        made(answer, status, "true", "recorded");
        assertThat(answer.header("Idempotency-Recorded-At")).matches(HTTP_DATE);
        assertThat(answer.header("Date")).matches(HTTP_DATE);
        return answer;
    }

    /// A refusal of the closed list; gives its members.
    static JsonPath refused(Response answer, int status, String name) {
        assertThat(answer.statusCode()).as(() -> describe(answer)).isEqualTo(status);
        assertThat(answer.contentType()).as(() -> describe(answer)).startsWith("application/problem+json");
        JsonPath members = answer.jsonPath();
        assertThat(members.getString("type")).isEqualTo("/problems/" + name);
        assertThat(members.getInt("status")).isEqualTo(status);
        assertThat(members.getString("detail")).isNotBlank();
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        return members;
    }

    /// A refusal that comes with a time to come again.
    static JsonPath refusedForNow(Response answer, int status, String name) {
        JsonPath members = refused(answer, status, name);
        assertThat(answer.header("Retry-After")).as("Retry-After").matches("\\d+");
        assertThat(members.getBoolean("retry_same_key")).isTrue();
        return members;
    }

    private static Response made(Response answer, int status, String replayed, String state) {
        assertThat(answer.statusCode()).as(() -> describe(answer)).isEqualTo(status);
        assertThat(answer.header("Idempotent-Replayed")).as(() -> describe(answer)).isEqualTo(replayed);
        assertThat(answer.header("Idempotency-State")).as(() -> describe(answer)).isEqualTo(state);
        return answer;
    }

    private static String describe(Response answer) {
        return answer.statusLine() + "\n" + answer.headers() + "\n" + answer.asString();
    }
}

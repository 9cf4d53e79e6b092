package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.Verdicts;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Verdict;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictReaderTest {

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Verdict read(String text) {
        return VerdictReader.single(json(text), "olga");
    }

    @Test
    void executedWithItsResponseIsRead() {
        assertThat(read("""
                {'verdict': 'executed', 'reason': ' seen ', 'response': {'status': 201,
                 'headers': [['Content-Type', 'text/plain'], ['Link', '</a>'], ['Link', '</b>']], 'body': 'é'}}"""))
                .isEqualTo(new Verdict.Executed(
                        201, Headers.of("Content-Type", "text/plain", "Link", "</a>", "Link", "</b>"),
                        Body.ofUtf8("é"), "seen", "olga"));
    }

    @Test
    void aBinaryBodyComesInBase64() {
        Verdict.Executed read = (Verdict.Executed) read(
                "{'verdict': 'executed', 'reason': 'r', 'response': {'status': 200, 'body_base64': 'AP8='}}");
        assertThat(read.body()).isEqualTo(Body.of(new byte[] {0, (byte) 0xFF}));
    }

    @Test
    void executedWithoutAResponseHasNoStatusAndNoBody() {
        assertThat(read("{'verdict': 'executed', 'reason': 'r'}"))
                .isEqualTo(new Verdict.Executed(null, Headers.empty(), null, "r", "olga"));
    }

    @Test
    void aResponseWithoutABodyHasAnEmptyOne() {
        Verdict.Executed read =
                (Verdict.Executed) read("{'verdict': 'executed', 'reason': 'r', 'response': {'status': 204}}");
        assertThat(read.body()).isEqualTo(Body.empty());
    }

    @Test
    void notExecutedHasTheTimeOfItsLook() {
        assertThat(read("{'verdict': 'not-executed', 'reason': 'r', 'as_of': '2026-01-04T10:00:00.5+01:00'}"))
                .isEqualTo(new Verdict.NotExecuted(Instant.parse("2026-01-04T09:00:00.500Z"), "r", "olga"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    {}                                                                              | reason is required
                    {"verdict": "executed"}                                                         | reason is required
                    {"verdict": "executed", "reason": "  "}                                         | reason is required
                    {"verdict": "executed", "reason": 7}                                            | reason must be a string
                    {"verdict": "maybe", "reason": "r"}                                             | executed or not-executed
                    {"reason": "r"}                                                                 | executed or not-executed
                    {"verdict": "executed", "reason": "r", "why": 1}                                | Allowed: verdict, reason
                    {"verdict": "not-executed", "reason": "r"}                                      | needs as_of
                    {"verdict": "not-executed", "reason": "r", "as_of": "yesterday"}                | RFC 3339
                    {"verdict": "not-executed", "reason": "r", "as_of": 7}                          | as_of must be a string
                    {"verdict": "not-executed", "reason": "r", "response": {"status": 200}}         | executed only
                    {"verdict": "executed", "reason": "r", "as_of": "2026-01-04T09:00:00Z"}         | not-executed only
                    {"verdict": "executed", "reason": "r", "response": 7}                           | must be an object
                    {"verdict": "executed", "reason": "r", "response": {}}                          | from 200 to 399
                    {"verdict": "executed", "reason": "r", "response": {"status": "201"}}           | from 200 to 399
                    {"verdict": "executed", "reason": "r", "response": {"status": 404}}             | from 200 to 399
                    {"verdict": "executed", "reason": "r", "response": {"status": 500}}             | from 200 to 399
                    {"verdict": "executed", "reason": "r", "response": {"status": 199}}             | from 200 to 399
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "b": 1}}     | Allowed: status, headers
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "body": 1}}  | body must be a string
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "body_base64": "?"}} | not Base64
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "body": "", "body_base64": ""}} | one is
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "headers": {"A": "b"}}} | pairs
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "headers": [["A"]]}} | pairs
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "headers": [["A b", "c"]]}} | field name
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "headers": [["A", "b\\r\\nC: d"]]}} | control
                    {"verdict": "executed", "reason": "r", "response": {"status": 200, "headers": [["Set-Cookie", "a"]]}} | never
                    """,
            quoteCharacter = '`')
    void whatIsNotAllowedIsRefusedWithWhatIs(String text, String said) {
        Refusing refusing = catchThrowableOfType(
                Refusing.class, () -> VerdictReader.single(json(text), "olga"));
        assertThat(refusing).isNotNull();
        assertThat(refusing.refusal().problem()).isEqualTo(Problem.VERDICT_INVALID);
        assertThat(refusing.refusal().detail()).contains(said);
    }

    @Test
    void aDryRunNeedsAFilterOnly() {
        assertThat(VerdictReader.many(json("{'filter': {'route': 'r', 'cause': 'timeout'}, 'dry_run': true}"), "olga"))
                .isEqualTo(new VerdictReader.Many(new Verdicts.Filter("r", null, "timeout"), null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    {"verdict": "executed", "reason": "r"}                                          | filter must be an object
                    {"verdict": "executed", "reason": "r", "filter": {"key": "k"}}                  | Allowed: route, client, cause
                    {"verdict": "executed", "reason": "r", "filter": {"route": 1}}                  | filter.route must be
                    {"verdict": "executed", "reason": "r", "filter": {}, "dry_run": "yes"}          | true or false
                    {"filter": {}}                                                                  | reason is required
                    """,
            quoteCharacter = '`')
    void aVerdictOnManyIsHeldToTheSame(String text, String said) {
        Refusing refusing =
                catchThrowableOfType(Refusing.class, () -> VerdictReader.many(json(text), "olga"));
        assertThat(refusing).isNotNull();
        assertThat(refusing.refusal().detail()).contains(said);
    }
}

package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The public contract is sound in itself, says the closed list of refusals, and can be broken.
final class PublicContractTest {

    private static final List<Problem> OPERATORS_ONLY = List.of(
            Problem.TOO_EARLY, Problem.WINDOW_OPEN, Problem.NOT_IN_DOUBT, Problem.STILL_CLAIMED,
            Problem.VERDICT_INVALID);

    private final PublicContract contract = new PublicContract();
    private final JsonNode document = contract.document();

    @Test
    void everyReferenceLeadsSomewhere() {
        assertThat(document.findValuesAsText("$ref"))
                .isNotEmpty()
                .allSatisfy(ref -> assertThat(document.at(ref.substring(1)).isMissingNode()).as(ref).isFalse());
    }

    @Test
    void operationsHaveNamesOfTheirOwn() {
        assertThat(document.path("paths").findValuesAsText("operationId")).doesNotHaveDuplicates()
                .hasSizeGreaterThan(20);
    }

    @Test
    void everyProblemHasAnExampleThatIsOne() {
        for (Problem problem : Problem.values()) {
            if (!OPERATORS_ONLY.contains(problem)) {
                JsonNode example = document.at("/components/examples/" + problem.slug() + "/value");
                assertThat(example.path("type").asText()).isEqualTo("/problems/" + problem.slug());
                assertThat(example.path("status").asInt()).isEqualTo(problem.status());
            }
        }
        document.at("/components/examples").forEach(
                example -> assertThat(contract.check("/components/schemas/Problem", example.path("value"))).isEmpty());
    }

    @Test
    void closedListIsTheProgramsList() {
        List<String> names = Arrays.stream(Problem.values()).map(Problem::slug).toList();
        assertThat(texts("/paths/~1problems~1{name}/get/parameters/0/schema/enum"))
                .containsExactlyInAnyOrderElementsOf(names);
        assertThat(texts("/components/schemas/Problem/properties/type/enum"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Problem.values())
                        .filter(p -> !OPERATORS_ONLY.contains(p))
                        .map(p -> "/problems/" + p.slug())
                        .toList());
    }

    @Test
    void examplesOfEntriesAreEntries() {
        assertThat(contract.check("/components/schemas/Entry", example("Entry"))).isEmpty();
        assertThat(contract.check("/components/schemas/Entries", example("Entries"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BatchLine", "BatchAnswer"})
    void examplesOfBatchesAreLines(String schema) {
        JsonNode examples = document.at("/components/schemas/" + schema + "/examples");
        assertThat(examples).isNotEmpty().allSatisfy(
                example -> assertThat(contract.check("/components/schemas/" + schema, example)).isEmpty());
        ObjectNode wrong = ((ObjectNode) examples.get(0).deepCopy()).put("bdy", "a");
        assertThat(contract.check("/components/schemas/" + schema, wrong)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"requestBody, BatchLine", "responses/200, BatchAnswer"})
    void examplesOfWholeBatchesAreMadeOfLines(String part, String schema) throws Exception {
        JsonNode node = document.at("/paths/~1v1~1batches/post/" + part);
        JsonNode there = node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
        String text = there.at("/content/application~1x-ndjson/example").asText();
        assertThat(text.lines()).hasSize(2);
        for (String line : text.lines().toList()) {
            assertThat(contract.check("/components/schemas/" + schema, new ObjectMapper().readTree(line))).isEmpty();
        }
    }

    @Test
    void timeIsATime() {
        ObjectNode wrong = example("Entry").deepCopy();
        wrong.put("claimed_at", "2026-01-04 09:00");
        assertThat(contract.check("/components/schemas/Entry", wrong)).hasSize(1);
    }

    @Test
    void keyHasEitherForm() {
        for (String right : List.of("order-shipped:1001", "\"a b\"", "\"a\\\"b\"; x=1")) {
            assertThat(contract.check("/components/schemas/IdempotencyKey", TextNode.valueOf(right))).isEmpty();
        }
        for (String wrong : List.of("", "a b", "a,b", "\"a", "\"\"", "a\"b")) {
            assertThat(contract.check("/components/schemas/IdempotencyKey", TextNode.valueOf(wrong))).isNotEmpty();
        }
    }

    @Test
    void rowOfTheClosedListIsHeld() {
        ObjectNode wrong = ((ObjectNode) document.at("/components/examples/not-forwarded/value").deepCopy());
        wrong.put("forwarded", "maybe");
        assertThat(contract.check("/components/schemas/Problem", wrong)).hasSize(1);
    }

    @Test
    void answerThatIsNotDeclaredIsFound() {
        Body body = Body.ofUtf8(document.at("/components/examples/key-missing/value").toString());
        Headers headers = Headers.of("Content-Type", "application/problem+json", "Cache-Control", "no-store");
        assertThat(contract.check(new Exchange("POST", "/payments", 400, headers, body))).isEmpty();
        assertThat(contract.check(new Exchange("POST", "/payments", 400, headers.plus("X-New", "1"), body)))
                .singleElement().asString().contains("X-New");
        assertThat(contract.check(new Exchange("TRACE", "/payments", 418, headers, body))).hasSize(1);
        Headers odd = Headers.of("Idempotent-Replayed", "perhaps");
        assertThat(contract.check(new Exchange("POST", "/payments/x/y", 201, odd, Body.empty()))).hasSize(1);
    }

    @Test
    void whatWasSeenIsNoLongerUnseen() {
        assertThat(contract.unseen()).contains("Success", "Success Idempotent-Replayed", "postRoute",
                "/problems/key-reused");
        contract.check(new Exchange(
                "POST", "/payments", 201, new Headers(List.of(new Header("Idempotent-Replayed", "true"))),
                Body.empty()));
        assertThat(contract.unseen()).doesNotContain("Success", "Success Idempotent-Replayed", "postRoute");
    }

    @Test
    void documentGoesThroughJson() throws Exception {
        assertThat(new ObjectMapper().readTree(document.toString())).isEqualTo(document);
    }

    private JsonNode example(String response) {
        return document.at("/components/responses/" + response + "/content/application~1json/example");
    }

    private List<String> texts(String pointer) {
        return document.at(pointer).valueStream().map(JsonNode::asText).toList();
    }
}

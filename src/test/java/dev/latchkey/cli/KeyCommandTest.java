package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyCommandTest {

    private static final String TEMPLATE = "order-shipped:{/order_id}:{/run_date}";
    private static final String ORDER = "{\"order_id\": 1001, \"run_date\": \"2026-01-04\", \"note\": \"é\"}";

    private static Typed key(String body, String... args) {
        String[] line = new String[args.length + 1];
        line[0] = "key";
        System.arraycopy(args, 0, line, 1, args.length);
        return Typed.fed(body.getBytes(StandardCharsets.UTF_8), line);
    }

    private static String shown(Typed typed, String member) {
        assertThat(typed.status()).as(typed.err()).isZero();
        return Arrays.stream(typed.out().split("\\R")).filter(line -> line.startsWith(member + " "))
                .map(line -> line.substring(member.length()).strip()).findFirst().orElse("none");
    }

    private static String fingerprint(String body, String... args) {
        return shown(key(body, args), "fingerprint");
    }

    @Test
    void bothFormsOfTheKeyAndTheFingerprintAreShown() {
        Typed typed = key(ORDER, TEMPLATE, "--target", "/notifications");
        assertThat(typed.status()).isZero();
        assertThat(typed.err()).isEmpty();
        assertThat(typed.out()).containsSubsequence(
                "idempotency_key    order-shipped:1001:2026-01-04\n",
                "as_header          Idempotency-Key: \"order-shipped:1001:2026-01-04\"\n",
                "fingerprint        01", "of                 POST /notifications, application/json\n",
                "read_as            strict JSON\n");
        assertThat(shown(typed, "fingerprint")).matches("01[0-9a-f]{64}");
        assertThat(typed.out()).doesNotContain("entry_id", "ignored", "headers");
    }

    @Test
    void theSpellingOfJsonDoesNotCount() {
        assertThat(fingerprint("{\"a\": 25.50, \"b\": \"é\"}"))
                .isEqualTo(fingerprint("{\"b\":\"\\u00e9\",\"a\":2.55e1}"));
    }

    @Test
    void methodTargetTypeAndChosenHeadersCount() {
        assertThat(new String[] {
            fingerprint(ORDER), fingerprint(ORDER, "--method", "PUT"), fingerprint(ORDER, "--target", "/a"),
            fingerprint(ORDER, "--target", "/a?b=1"), fingerprint(ORDER, "--content-type", "text/plain"),
            fingerprint(ORDER, "--header", "Stripe-Account: a"), fingerprint(ORDER, "--header", "Stripe-Account: b"),
            fingerprint(ORDER, "--ignore", "/note")
        }).doesNotHaveDuplicates();
    }

    @Test
    void whatIsIgnoredDoesNotCountAndIsNamed() {
        Typed typed = key(ORDER, TEMPLATE, "--ignore", "/note", "--ignore", "/requested_at", "--header", "X-B: 1");
        assertThat(shown(typed, "ignored")).isEqualTo("/note /requested_at");
        assertThat(shown(typed, "headers")).isEqualTo("x-b");
        assertThat(shown(typed, "fingerprint")).isEqualTo(fingerprint(
                ORDER.replace("é", "e"), "--ignore", "/requested_at", "--ignore", "/note", "--header", "x-b:1"));
    }

    @Test
    void aClientsEntryIsNamed() {
        Typed alices = key(ORDER, TEMPLATE, "--client", "alice");
        assertThat(shown(alices, "entry_id")).matches("[0-9a-f-]{36}")
                .isNotEqualTo(shown(key(ORDER, TEMPLATE, "--client", "bob"), "entry_id"));
        assertThat(shown(alices, "downstream_key")).matches("[0-9a-f-]{36}");
    }

    @Test
    void withoutATemplateThereIsOnlyAFingerprint() {
        Typed typed = key("a;b\n", "--content-type", "text/csv", "--json");
        assertThat(typed.status()).isZero();
        assertThat(typed.out()).contains("\"fingerprint\" : \"01", "\"read_as\" : \"raw bytes\"")
                .doesNotContain("_key");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "{`a\": 1,_\"b\": 2, \"a\": 3}|an object has two members of one name (line 2, after 24 bytes)",
        "{\"a\": 01}|a comma or the end should stand there (line 1, after 7 bytes)",
        "{\"a\": tru}|no value begins like this (line 1, after 9 bytes)",
        "{\"a\": \"x|a string does not end (line 1, after 8 bytes)",
        "{\"a\": \"\\x\"}|a backslash stands before a character that it does not escape",
        "{\"a\": \"\\u12\"}|\\u has four hexadecimal digits",
        "{\"a\": 1} 2|something follows the value (line 1, after 9 bytes)",
        "{'a': 1}|'\"' should stand there (line 1, after 1 bytes)",
        "{\"a\": }|a value or a digit should stand there (line 1, after 6 bytes)",
    })
    void whyABodyIsNoStrictJsonIsSaid(String body, String why) {
        String sent = body.replace('_', '\n').replace("{`", "{\"");
        assertThat(shown(key(sent), "read_as")).startsWith("raw bytes, since it is not strict JSON: " + why);
        Typed typed = key(sent, "{/a}");
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("The body is not strictly valid JSON: " + why, "See latchkey key --help.");
    }

    @Test
    void aFormThatIsNoneIsRawBytes() {
        String type = "application/x-www-form-urlencoded";
        assertThat(shown(key("a=%20", "--content-type", type), "read_as")).isEqualTo("a form");
        assertThat(shown(key("a=%zz", "--content-type", type), "read_as"))
                .isEqualTo("raw bytes, since it is not a form");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "order:{/run_id}|The body has no value at /run_id",
        "order:{/|Character 7 of a key template is '{' without a '}' after it",
        "order|A key template takes no value from the body",
        "order:{id}|A JSON pointer begins with '/'; write /id",
        "order:{/note}|At /note: A string stands there in which character 1 is not printable ASCII",
        "order:{}|opens an empty pair of braces",
    })
    void aTemplateThatGivesNoKeyIsWrongUsage(String template, String why) {
        Typed typed = key(ORDER, template);
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.out()).isEmpty();
        assertThat(typed.err()).containsIgnoringCase(why).contains("See latchkey key --help.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--ignore a|A JSON pointer begins with '/'; write /a",
        "--ignore=|An empty JSON pointer would leave out the whole",
        "--header x|--header is written 'Name: value'", "--client x|--client goes with a TEMPLATE"
    })
    void wrongOptionsAreSaid(String options, String why) {
        Typed typed = key(ORDER, options.split(" "));
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains(why);
    }
}

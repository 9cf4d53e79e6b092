package dev.latchkey.config;

import static dev.latchkey.config.SettingsText.ONE_ROUTE;
import static dev.latchkey.config.SettingsText.downstreamWith;
import static dev.latchkey.config.SettingsText.problems;
import static dev.latchkey.config.SettingsText.routeWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;

/// One test for each kind of mistake: its line, its name, what is wrong and what is allowed.
class SettingsProblemsTest {

    private static final String LEDGER = "ledger: { data-dir: data }\n";
    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final String OTHER_DIGEST = "fedcba9876543210".repeat(4);

    private static void assertProblem(String yaml, String whole) {
        assertThat(problems(yaml)).containsExactly(whole);
    }

    private static void assertProblem(String yaml, int line, String name, String part) {
        assertThat(problems(yaml)).singleElement().asString().startsWith(
                "latchkey.yaml:" + line + ": " + name + ": ").contains(part);
    }

    @Test
    void aDurationIsANumberAndAUnit() {
        assertProblem(
                downstreamWith("timeout: fast"),
                "latchkey.yaml:7: routes[0].downstream.timeout: \"fast\" is not a duration; write 250ms, 20s, 5m, 24h or"
                        + " 90d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"30", "-1s", "1.5s", "010s", "1 s", "30S", "forever", "99999999999d", "1w"})
    void noOtherSpellingIsADuration(String text) {
        assertProblem(downstreamWith("timeout: '" + text + "'"), 7, "routes[0].downstream.timeout", "write");
    }

    @Test
    void noPasswordStandsBeforeTheLedgersHost() {
        String yaml = ONE_ROUTE.replace("{ data-dir: data }", "{ url: 'jdbc:postgresql://u:canary@db/x' }");
        assertThat(problems(yaml)).singleElement().asString()
                .startsWith("latchkey.yaml:1: ledger.url: a user or password before the host").doesNotContain("canary");
        assertThat(problems(yaml.replace("u:canary@db/x", "db/x?user=a@b"))).isEmpty();
    }

    @Test
    void aSizeIsANumberAndAUnit() {
        assertProblem(
                LEDGER + "limits:\n  request-body: 1MB\n",
                "latchkey.yaml:3: limits.request-body: \"1MB\" is not a size; write 64KiB, 1MiB, 2GiB or a number of"
                        + " bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"batch: 0", "batch: 1000001", "batches: 0", "batches: 1000001"})
    void aReplicaWorksOnOneLineOfABatchAtLeast(String setting) {
        String name = setting.split(":", 2)[0];
        assertProblem(
                LEDGER + "limits:\n  " + setting + "\n", 3, "limits." + name,
                "out of range; write a whole number from 1 to 1000000");
    }

    @Test
    void aBatchHoldsSomething() {
        assertProblem(LEDGER + "limits:\n  batch-bytes: 0\n", 3, "limits.batch-bytes", "out of range; write a size");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        assertProblem(
                downstreamWith("time-out: 3s"),
                "latchkey.yaml:7: routes[0].downstream.time-out: there is no such setting; did you mean timeout? allowed"
                        + " here: connect-timeout, deduplicates, headers, key, max-concurrent, oauth2, proxy, timeout, tls, url");
    }

    @Test
    void aNameThatResemblesNothingIsAnsweredWithAllThereAre() {
        assertProblem(LEDGER + "drain: { zebra: 1s }", 2, "drain.zebra",
                "there is no such setting; allowed here: delay, timeout");
    }

    @Test
    void aNameOfTheTopLevelMayBeUnknownToo() {
        assertProblem(LEDGER + "route: []", 2, "route", "did you mean routes?");
    }

    @Test
    void aGroupIsNoSingleValue() {
        assertProblem(LEDGER + "limits: 5", 2, "limits", "this is a single value; write a group of settings");
    }

    @Test
    void aSingleValueIsNoGroup() {
        assertProblem(LEDGER + "cache:\n  size: { max: 1 }", 3, "cache.size",
                "this is a group of settings; write a single value");
    }

    @Test
    void aListIsNoSingleValue() {
        assertProblem(
                routeWith("fingerprint: { ignore: /requested_at }"),
                7,
                "routes[0].fingerprint.ignore",
                "this is a single value; write a list");
    }

    @Test
    void aCollectorHasAnEndpointAndSharesAreBounded() {
        assertProblem(LEDGER + "telemetry:\n  otlp: { }", 3, "telemetry.otlp.endpoint", "this is missing; write where");
        assertProblem(
                LEDGER + "telemetry:\n  otlp: { endpoint: collector }", 3, "telemetry.otlp.endpoint",
                "only http and https can be reached");
        assertProblem(LEDGER + "telemetry:\n  sampling: 1.5", 3, "telemetry.sampling", "1.5 is out of range");
        assertProblem(LEDGER + "telemetry:\n  sampling: all", 3, "telemetry.sampling", "\"all\" is not a share");
        assertProblem(LEDGER + "telemetry:\n  log-level: debug", 3, "telemetry.log-level", "is not one of: info, warn");
    }

    @Test
    void routesAreAList() {
        assertProblem(LEDGER + "routes:\n  name: payments", 2, "routes", "this is a group of settings; write a list");
    }

    @Test
    void aLineWithoutAValueIsAMistake() {
        assertProblem(LEDGER + "wait:\n  max:\n", 3, "wait.max", "there is no value");
    }

    @Test
    void aSettingGivenTwiceIsAMistake() {
        assertProblem(
                LEDGER + "wait: { max: 1s }\ncache: { size: 1MiB }\nwait: { max: 2s }",
                "latchkey.yaml:4: wait: this is given twice, first on line 2; remove one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "yes", "on", "off", "True", "0"})
    void onlyTrueAndFalseAreTrueAndFalse(String text) {
        assertProblem(
                "ledger:\n  data-dir: d\n  migrate: " + text,
                "latchkey.yaml:3: ledger.migrate: \"" + text + "\" is neither true nor false; write one of them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"010", "0x1F", "1_000", "+1", "-1", "1e3", "1.0", "190:20:30"})
    void aNumberIsReadAsItIsWritten(String text) {
        assertProblem(LEDGER + "listen:\n  port: " + text, 3, "listen.port", "\"" + text + "\" is not a whole number");
    }

    @Test
    void wordsThatYamlTakesForSomethingElseAreNames() throws SettingsException {
        String yaml = ONE_ROUTE.replace("name: payments", "name: no") + "clients: [{ name: 010, routes: [no],"
                + " token-sha256: " + "1".repeat(64) + " }]";
        Settings settings = SettingsText.read(yaml);
        assertThat(settings.routes().getFirst().name()).isEqualTo("no");
        assertThat(settings.clients()).isInstanceOfSatisfying(
                Clients.Listed.class, listed -> assertThat(listed.clients().getFirst().name()).isEqualTo("010"));
    }

    @Test
    void aPortEndsAt65535() {
        assertProblem(LEDGER + "management: { port: 65536 }", 2, "management.port",
                "write a whole number from 0 to 65535");
    }

    @Test
    void aHostIsAnAddressOrAName() {
        assertProblem(LEDGER + "clients: open\nlisten: { host: '*' }", 3, "listen.host", "write 127.0.0.1, or 0.0.0.0");
    }

    @Test
    void thePortsDiffer() {
        assertProblem(LEDGER + "management: { port: 8080 }", 2, "management.port", "8080 is listen.port, too");
    }

    @Test
    void aLedgerMustBeNamed() {
        assertProblem("ledger: { migrate: false }", 1, "ledger", "write ledger.url");
        assertProblem("routes: []", 1, "ledger", "write ledger.url");
    }

    @Test
    void aLedgerIsNamedOnce() {
        assertProblem(
                "ledger:\n  url: jdbc:postgresql://db/x\n  data-dir: data",
                "latchkey.yaml:3: ledger.data-dir: ledger.url is given, too; write one of them");
    }

    @Test
    void aLedgerIsAPostgresql() {
        assertProblem("ledger: { url: 'jdbc:mysql://u:pw@db/x' }", 1, "ledger.url", "write jdbc:postgresql://");
        assertThat(problems("ledger: { url: 'jdbc:mysql://u:pw@db/x' }")).noneMatch(line -> line.contains("pw"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"//db:54x2/x", "//db:/x", "//db:0/x", "//db:65536/x", "//db:5432", "//db", "//db?user=u",
        "//db/x/y", "//a,,b/x", "//a,/x", "//::1/x", "/x", "//db/x?password=canary%", "//db/x%zz"})
    void whatTheDriverDoesNotReadIsNoUrlOfALedger(String url) {
        String yaml = ONE_ROUTE.replace("{ data-dir: data }", "{ url: 'jdbc:postgresql:" + url + "' }");
        assertThat(problems(yaml)).singleElement().asString()
                .startsWith("latchkey.yaml:1: ledger.url: ").contains("write").doesNotContain(url)
                .doesNotContain("canary");
    }

    @ParameterizedTest
    @ValueSource(strings = {"//db:5432/x", "//db/x", "//db/", "///x", "//[::1]:5432/x", "//[::1]/x", "x", "?host=a",
        "//a:1,b:65535,[fe80::1]/x?user=u&password=a/b,c:d%25", "//a, b/x%2Fy"})
    void whatTheDriverReadsIsTheUrlOfALedger(String url) {
        assertThat(Driver.parseURL("jdbc:postgresql:" + url, null)).isNotNull();
        assertThat(problems(ONE_ROUTE.replace("{ data-dir: data }", "{ url: 'jdbc:postgresql:" + url + "' }")))
                .isEmpty();
    }

    @Test
    void anEmbeddedLedgerHasNoUser() {
        assertProblem("ledger: { data-dir: d, user: u }", 1, "ledger.user", "goes with ledger.url only");
    }

    @Test
    void anEmbeddedLedgerHasNoStandby() {
        assertProblem("ledger: { data-dir: d, durability: replicated }", 1, "ledger.durability", "has no standby");
    }

    @Test
    void aChoiceNamesWhatThereIs() {
        assertProblem(
                "ledger: { data-dir: d, durability: LOCAL }",
                "latchkey.yaml:1: ledger.durability: \"LOCAL\" is not one of: local, replicated, unsafe");
    }

    @Test
    void aForwardMustNotOutliveItsLease() {
        assertProblem(
                "ledger:\n  data-dir: d\n  lease-margin: 1999ms",
                "latchkey.yaml:3: ledger.lease-margin: 1999ms is so short that a forward could outlive its lease; write at"
                        + " least 2s");
    }

    @Test
    void aLedgerNeedsAConnection() {
        assertProblem("ledger: { data-dir: d, connections: 0 }", 1, "ledger.connections", "from 1 to 1000");
    }

    @Test
    void onlyLoopbackIsOpenWithoutSayingSo() {
        assertProblem(LEDGER + "listen: { host: 0.0.0.0 }", 1, "clients",
                "without clients anybody who reaches 0.0.0.0");
        assertProblem(LEDGER + "listen: { host: gateway.internal }", 1, "clients", "clients: open");
        assertThat(problems(LEDGER + "listen: { host: 127.8.8.8 }")).isEmpty();
        assertThat(problems(LEDGER + "listen: { host: '[::1]' }")).isEmpty();
    }

    @Test
    void clientsAreOpenOrAList() {
        assertProblem(LEDGER + "clients: everybody", 2, "clients", "is neither open nor a list");
        assertProblem(LEDGER + "clients: []", 2, "clients", "an empty list lets nobody in");
        assertProblem(LEDGER + "clients: { name: a }", 2, "clients", "write a list");
    }

    @Test
    void aTokenIsNamedByItsDigestAndNeverShown() {
        String yaml = LEDGER + "clients:\n  - name: a\n    token-sha256: my-secret-token";
        assertProblem(yaml, 3, "clients[0].tokens-sha256", "write the 64 hexadecimal digits");
        assertThat(problems(yaml)).noneMatch(line -> line.contains("my-secret-token"));
    }

    @Test
    void aClientHasAToken() {
        assertProblem(LEDGER + "clients:\n  - name: a", 3, "clients[0]", "no token");
    }

    @Test
    void aClientListsItsTokensInOnePlace() {
        assertProblem(
                LEDGER + "clients:\n  - { name: a, token-sha256: " + DIGEST + ", tokens-sha256: [" + DIGEST + "] }",
                3,
                "clients[0].tokens-sha256",
                "token-sha256 is given, too");
    }

    @Test
    void aTokenBelongsToOneClient() {
        assertProblem(
                clients("name: a, token-sha256: " + DIGEST, "name: b, token-sha256: " + DIGEST),
                4,
                "clients[1]",
                "one of its tokens is also that of a");
    }

    @Test
    void aTokenBelongsToOneOperator() {
        assertProblem(
                LEDGER + "operators:\n  - { name: a, token-sha256: " + DIGEST + " }\n  - { name: b, token-sha256: "
                        + DIGEST + " }",
                4,
                "operators[1]",
                "one of its tokens is also that of a");
    }

    @Test
    void anOperatorIsHeldToNoRoute() {
        assertProblem(
                ONE_ROUTE + "operators: [{ name: a, token-sha256: " + DIGEST + ", routes: [payments] }]",
                7,
                "operators[0].routes",
                "an operator sees every route");
    }

    @Test
    void aNameBelongsToOneClient() {
        assertProblem(
                clients("name: a, token-sha256: " + DIGEST, "name: a, token-sha256: " + OTHER_DIGEST),
                4,
                "clients[1].name",
                "\"a\" is the name of another client");
    }

    @Test
    void aFormerNameIsNobodyElses() {
        assertProblem(
                clients("name: a, token-sha256: " + DIGEST, "name: b, formerly: [a], token-sha256: " + OTHER_DIGEST),
                4,
                "clients[1].formerly",
                "is or was the name of another client");
        assertProblem(
                clients(
                        "name: a, formerly: [c], token-sha256: " + DIGEST,
                        "name: b, formerly: [c], token-sha256: " + OTHER_DIGEST),
                4,
                "clients[1].formerly",
                "is or was the name of another client");
        assertProblem(
                clients("name: a, formerly: [a], token-sha256: " + DIGEST), 3, "clients[0].formerly", "its own name");
    }

    @Test
    void aClientIsHeldToRoutesThatThereAre() {
        assertProblem(
                ONE_ROUTE + "clients: [{ name: a, routes: [payment], token-sha256: " + DIGEST + " }]",
                7,
                "clients[0].routes",
                "\"payment\" is not the name of a route; there are: payments");
    }

    @Test
    void aClientMustBeAbleToUseSomething() {
        assertProblem(
                ONE_ROUTE + "clients: [{ name: a, routes: [], token-sha256: " + DIGEST + " }]",
                7,
                "clients[0].routes",
                "an empty list lets it use nothing");
    }

    @Test
    void aRouteNeedsNamePrefixAndUrl() {
        assertThat(problems(LEDGER + "routes:\n  - key: required\n  - downstream:\n      timeout: 1s\n"))
                .containsExactly(
                        "latchkey.yaml:3: routes[0].name: this is missing; write what people and metrics call this route",
                        "latchkey.yaml:3: routes[0].prefix: this is missing; write the path that it answers, as in"
                                + " /payments",
                        "latchkey.yaml:3: routes[0].downstream.url: this is missing; write where calls go, as in"
                                + " https://HOST",
                        "latchkey.yaml:4: routes[1].name: this is missing; write what people and metrics call this route",
                        "latchkey.yaml:4: routes[1].prefix: this is missing; write the path that it answers, as in"
                                + " /payments",
                        "latchkey.yaml:4: routes[1].downstream.url: this is missing; write where calls go, as in"
                                + " https://HOST");
    }

    @Test
    void aPrefixBelongsToOneRoute() {
        assertProblem(
                ONE_ROUTE + "  - { name: other, prefix: /payments, downstream: { url: 'http://a' } }",
                7,
                "routes[1].prefix",
                "/payments is the prefix of the route \"payments\", too");
    }

    @Test
    void aRouteNameBelongsToOneRoute() {
        assertProblem(
                ONE_ROUTE + "  - { name: payments, prefix: /other, downstream: { url: 'http://a' } }",
                7,
                "routes[1].name",
                "\"payments\" is the name of another route");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/v1", "/v1/payments", "/openapi.yaml", "/openapi.json", "/docs", "/docs/x", "/problems"})
    void aPrefixIsNotTheGatewaysOwn(String prefix) {
        assertProblem(withPrefix(prefix), 4, "routes[0].prefix", "belongs to the gateway; write another prefix");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1x", "/v2", "/payments/v1", "/doc", "/a-b_c~d.e", "/caf%C3%A9", "/a:b@c"})
    void otherPrefixesAreFine(String prefix) {
        assertThat(problems(withPrefix(prefix))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "payments", "/payments/", "//payments", "/a//b", "/a/./b", "/..", "/a/..;x", "/a/%2e%2E", "/a?b",
                "/a#b",
                "/a%2", "/a%zz", "/a%2Fb", "/a%5cb", "/a%00", "/%76%31", "/a b", "/a\\b", "/é", "/", ""
            })
    void aPrefixIsWholePlainSegments(String prefix) {
        assertProblem(withPrefix(prefix), 4, "routes[0].prefix", "write");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://host", "host", "//host", "http:host", "https://user:pw@host", "https://host?x=1",
                "https://host#x",
                "https://host:0", "https://host:99999", "https://my_host", "https://host/a//b", "https://host/a/../b",
                "https://ho st", "https://"
            })
    void aDownstreamIsReachedByAPlainUrl(String url) {
        String yaml = ONE_ROUTE.replace("https://payments.internal", "'" + url + "'");
        assertProblem(yaml, 6, "routes[0].downstream.url", "");
        assertThat(problems(yaml)).noneMatch(line -> line.contains("pw"));
    }

    @Test
    void connectingTakesNoLongerThanTheWhole() {
        assertProblem(
                downstreamWith("timeout: 1s", "connect-timeout: 2s"),
                8,
                "routes[0].downstream.connect-timeout",
                "2s is longer than the timeout of 1s");
    }

    @Test
    void aTimeoutIsLongerThanNothing() {
        assertProblem(downstreamWith("timeout: 0s"), 7, "routes[0].downstream.timeout", "1ms");
        assertProblem(downstreamWith("connect-timeout: 0s"), 7, "routes[0].downstream.connect-timeout", "1ms");
    }

    @Test
    void aHeaderIsNamedAndValuedAsHttpHasIt() {
        assertThat(problems(downstreamWith("headers:", "  'Bad Name': x", "  X-A: \"a\\nb\"", "  Host: h")))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("latchkey.yaml:8: routes[0].downstream.headers.Bad Name: "),
                        line -> assertThat(line).startsWith(
                                "latchkey.yaml:9: routes[0].downstream.headers.X-A: the value cannot stand in a header"),
                        line -> assertThat(line).contains("Host belongs to the connection"));
    }

    @Test
    void aHeaderIsGivenOnce() {
        assertProblem(
                downstreamWith("headers: { X-A: a, x-a: b }"),
                7,
                "routes[0].downstream.headers.x-a",
                "the field is given twice");
    }

    @Test
    void theKeysHeaderIsTheGateways() {
        assertProblem(
                downstreamWith("headers: { idempotency-key: abc }"),
                7,
                "routes[0].downstream.headers.idempotency-key",
                "the downstream key goes under this name");
    }

    @Test
    void theKeysHeaderHasNoOtherMeaning() {
        assertProblem(
                downstreamWith("key: { header: Authorization }"),
                7,
                "routes[0].downstream.key.header",
                "has a meaning of its own");
    }

    @Test
    void noKeyMeansNoDeduplication() {
        assertProblem(
                downstreamWith("key: { value: none }", "deduplicates: 24h"),
                8,
                "routes[0].downstream.deduplicates",
                "the downstream is sent no key");
    }

    @Test
    void noKeyMeansNoLookup() {
        assertProblem(
                downstreamWith("key: { value: none }")
                        + "    lookup: { path: '/p?k={key}', executed: { status: [200] } }",
                8,
                "routes[0].lookup",
                "the downstream is sent no key");
    }

    @Test
    void twoClientsNeverShareAKeyAtADeduplicatingDownstream() {
        String route = downstreamWith("key: { value: as-sent }", "deduplicates: 24h")
                + "    lookup: { path: '/p?k={key}', executed: { status: [200] } }\n";
        String one = "  - { name: a, token-sha256: " + DIGEST + " }\n";
        String other = "  - { name: b, token-sha256: " + OTHER_DIGEST + " }\n";
        assertThat(problems(route + "clients:\n" + one)).isEmpty();
        assertThat(problems(route + "clients: open\n")).isEmpty();
        assertThat(problems(route + "clients:\n" + one + other)).satisfiesExactly(
                line -> assertThat(line)
                        .startsWith("latchkey.yaml:8: routes[0].downstream.deduplicates: more than one client"),
                line -> assertThat(line).startsWith("latchkey.yaml:9: routes[0].lookup: more than one client"));
    }

    @Test
    void aRouteHeldToOneClientMaySendItsKeys() {
        String yaml = downstreamWith("key: { value: as-sent }", "deduplicates: 24h")
                + "  - { name: other, prefix: /other, downstream: { url: 'http://a' } }\n"
                + "clients:\n  - { name: a, token-sha256: " + DIGEST + " }\n"
                + "  - { name: b, routes: [other], token-sha256: " + OTHER_DIGEST + " }\n";
        assertThat(problems(yaml)).isEmpty();
    }

    @Test
    void theCallersOwnKeyAllowsNoCorrection() {
        assertProblem(
                downstreamWith("key: { value: as-sent }") + "    corrections: allow",
                8,
                "routes[0].corrections",
                "write refuse");
    }

    @Test
    void aStatusIsThatOfACompleteResponse() {
        assertProblem(routeWith("outcomes: { released: [600] }"), 7, "routes[0].outcomes.released", "from 200 to 599");
        assertProblem(routeWith("outcomes: { recorded: [99] }"), 7, "routes[0].outcomes.recorded", "from 200 to 599");
        assertProblem(routeWith("outcomes: { in-doubt: [5xx] }"), 7, "routes[0].outcomes.in-doubt[0]", "whole number");
    }

    @Test
    void aStatusHasOneMeaning() {
        assertProblem(
                routeWith("outcomes:", "  released: [503]", "  in-doubt: [429, 503]"),
                9,
                "routes[0].outcomes.in-doubt",
                "503 is listed under released, too");
    }

    @Test
    void aResponseIsKeptNoLongerThanItsEntry() {
        assertProblem(
                routeWith("retention:", "  entry: 30d"),
                7,
                "routes[0].retention.response",
                "a response kept 90d would outlive its entry, which is kept 30d");
        assertProblem(
                routeWith("retention:", "  response: forever", "  entry: 30d"),
                8,
                "routes[0].retention.response",
                "a response kept forever would outlive");
    }

    /// A path would put its two slashes together, and what is hidden would not be found.
    @Test
    void aKeyThatStandsWhereAPathBelongsIsNotShown() {
        String key = "MIGHAgEAMBMGByqG//SM49AgEGCCqGSM49AwEHBG0wawIBAQQg";
        assertThat(problems(LEDGER + "listen: { tls: { certificate: \"${CERTIFICATE}\", key: \"${KEY}\" } }",
                Map.of("CERTIFICATE", key, "KEY", key))).isNotEmpty().allSatisfy(
                        line -> assertThat(line).contains("${").doesNotContain("SM49"));
    }

    @Test
    void aPointerIsAJsonPointer() {
        assertProblem(
                routeWith("fingerprint: { ignore: [/a, requested_at] }"),
                7,
                "routes[0].fingerprint.ignore[1]",
                "\"requested_at\" is not a JSON pointer");
        assertProblem(routeWith("fingerprint: { ignore: ['/a~2'] }"), 7, "routes[0].fingerprint.ignore[0]", "~1 for /");
    }

    @Test
    void aCredentialIsNoPartOfTheFingerprint() {
        assertProblem(
                routeWith("fingerprint: { headers: [authorization] }"),
                7,
                "routes[0].fingerprint.headers[0]",
                "authorization cannot count");
    }

    @Test
    void someFieldsAreNeverReplayed() {
        assertProblem(
                routeWith("replay-headers: [Set-Cookie]"), 7, "routes[0].replay-headers[0]",
                "Set-Cookie is never replayed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"optinal", "a:{/b", "a:{b}", "a}:{/b}", "{}", "é{/a}"})
    void aKeyIsRequiredOptionalOrATemplate(String key) {
        assertProblem(routeWith("key: '" + key + "'"), 7, "routes[0].key",
                "is neither required nor optional, nor a template");
    }

    @Test
    void aLookupNamesTheKeyAndAMeaning() {
        assertThat(problems(routeWith("lookup: { path: payments }"))).satisfiesExactly(
                line -> assertThat(line).contains("routes[0].lookup.path: the path names no key"),
                line -> assertThat(line).contains("routes[0].lookup.path: \"payments\" is not a path"),
                line -> assertThat(line).contains("routes[0].lookup: no answer means anything"));
    }

    @Test
    void aLookupsPathHoldsNoOtherPlaceholder() {
        assertProblem(
                routeWith("lookup: { path: '/p?k={key}&o={order}', executed: { status: [200] } }"),
                7,
                "routes[0].lookup.path",
                "is not a path");
    }

    @Test
    void anAnswerToALookupHasAStatusAndOneCondition() {
        assertThat(problems(routeWith("lookup:", "  path: /p?k={key}", "  executed: { where: /a, unless: /b }")))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("latchkey.yaml:9: routes[0].lookup.executed.status: no status"),
                        line -> assertThat(line).contains("where and unless cannot both hold"));
    }

    @Test
    void anAnswerToALookupMeansOneThing() {
        assertProblem(
                routeWith(
                        "lookup:",
                        "  path: /p?k={key}",
                        "  executed: { status: [200] }",
                        "  not-executed: { status: [200, 404] }"),
                10,
                "routes[0].lookup.not-executed",
                "one answer would mean both");
    }

    @Test
    void whatALookupRecordsIsASuccess() {
        assertProblem(
                routeWith(
                        "lookup:",
                        "  path: /p?k={key}",
                        "  executed: { status: [200], response: { status: 404, body: data } }")
                        .replace(", body: data", ""),
                9,
                "routes[0].lookup.executed.response.status",
                "write a number from 200 to 399");
    }

    @Test
    void aMissingVariableIsNamed() {
        assertProblem(
                downstreamWith("headers: { Authorization: 'Bearer ${PAYMENTS_TOKEN}' }"),
                7,
                "routes[0].downstream.headers.Authorization",
                "the environment variable PAYMENTS_TOKEN is not set; set it, or write ${PAYMENTS_TOKEN:-default}");
    }

    @Test
    void everyMissingVariableIsNamed() {
        assertThat(problems(LEDGER + "listen: { host: '${A}${B}' }")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"${A", "${}", "${a b}", "${env:A}", "${1}"})
    void aReferenceIsToAVariableOrAFile(String text) {
        assertProblem(LEDGER + "listen: { host: '" + text + "' }", 2, "listen.host",
                "write ${NAME}, ${NAME:-default} or");
    }

    @Test
    void variablesStandForText() throws SettingsException {
        Settings settings = SettingsText.read("""
                ledger: { data-dir: "${DIR}/ledger" }
                listen: { port: "${PORT:-8081}", host: "${EMPTY:-localhost}" }
                management: { port: "${MANAGEMENT:-9091}" }
                """, Map.of("DIR", "/data", "EMPTY", "", "MANAGEMENT", "0"));
        assertThat(settings.ledger().place()).hasToString("Embedded[dataDir=/data/ledger]");
        assertThat(settings.listen()).isEqualTo(new Listen("localhost", 8081));
        assertThat(settings.management().port()).isZero();
    }

    @Test
    void aVariableCannotBringSettingsAlong() throws SettingsException {
        Settings settings = SettingsText.read(
                ONE_ROUTE.replace("name: payments", "name: \"${NAME}\""), Map.of("NAME", "a, prefix: /b"));
        assertThat(settings.routes().getFirst().name()).isEqualTo("a, prefix: /b");
    }

    @Test
    void aDoubledDollarStandsForItself() throws SettingsException {
        Settings settings = SettingsText.read(downstreamWith("headers: { X-Price: '$${5} $1' }"));
        assertThat(settings.routes().getFirst().downstream().headers().getFirst().value().get())
                .isEqualTo("${5} $1");
    }

    @Test
    void whatIsNoYamlIsNamedByItsLine() {
        assertThat(problems("ledger: { data-dir: d }\nlisten: [")).singleElement().asString().startsWith(
                "latchkey.yaml:2: this is not YAML: ");
        assertThat(problems("a: 1\n\tb: 2")).singleElement().asString().contains("latchkey.yaml:2: this is not YAML");
        assertThat(problems("a: 1\n---\nb: 2")).singleElement().asString().contains("this is not YAML");
        assertThat(problems("a: *b")).singleElement().asString().contains("this is not YAML");
    }

    @Test
    void anEmptyFileHoldsNoSettings() {
        assertThat(problems("")).containsExactly(
                "latchkey.yaml:1: there are no settings; name a ledger and the routes");
        assertThat(problems("# nothing")).hasSize(1);
        assertThat(problems("- a")).hasSize(2).first().asString().contains("this is a list; write a group of settings");
    }

    @Test
    void aHostileValueStaysOnItsLine() {
        assertThat(problems(LEDGER + "listen: { host: \"a\\nlatchkey.yaml:1: all fine\\e[31m\" }")).singleElement()
                .asString().contains("\"a\\u000alatchkey.yaml:1: all fine\\u001b[31m\"").doesNotContain("\n");
    }

    @Test
    void tenMistakesAreTenProblems() {
        List<String> problems = problems("""
                listen: { port: 80800 }
                ledger: { data-dir: d, lease-margin: 1s, migrate: no }
                limits: { forwards: many }
                clients:
                  - { name: a, token-sha256: abc, routes: [payments] }
                routes:
                  - name: payments
                    prefix: /docs
                    downstream: { url: "ftp://x", timout: 3s }
                    outcomes: { released: [700] }
                    retention: { response: 2d, entry: 1d }
                """);
        assertThat(problems).hasSize(10).extracting(line -> line.split(" ", -1)[0] + line.split(" ", -1)[1])
                .containsExactly(
                        "latchkey.yaml:1:listen.port:",
                        "latchkey.yaml:2:ledger.migrate:",
                        "latchkey.yaml:2:ledger.lease-margin:",
                        "latchkey.yaml:3:limits.forwards:",
                        "latchkey.yaml:5:clients[0].tokens-sha256:",
                        "latchkey.yaml:8:routes[0].prefix:",
                        "latchkey.yaml:9:routes[0].downstream.timout:",
                        "latchkey.yaml:9:routes[0].downstream.url:",
                        "latchkey.yaml:10:routes[0].outcomes.released:",
                        "latchkey.yaml:11:routes[0].retention.response:");
    }

    private static String withPrefix(String prefix) {
        return ONE_ROUTE.replace("prefix: /payments", "prefix: '" + prefix + "'");
    }

    private static String clients(String... clients) {
        StringBuilder yaml = new StringBuilder(LEDGER).append("clients:\n");
        for (String client : clients) {
            yaml.append("  - { ").append(client).append(" }\n");
        }
        return yaml.toString();
    }

    @Test
    void jwtNeedsKeysAndAnAudience() {
        assertThat(problems(LEDGER + "jwt:\n  issuer: i\n")).singleElement().asString()
                .startsWith("latchkey.yaml:2: jwt: ").contains("jwks-url", "jwks-file");
        assertProblem(LEDGER + "jwt:\n  issuer: i\n  jwks-url: https://x/y\n", 2, "jwt.audience", "aud");
        assertProblem(
                LEDGER + "jwt:\n  issuer: i\n  audience: a\n  jwks-url: http://login.example/keys\n", 5,
                "jwt.jwks-url", "https");
        assertProblem(
                LEDGER + "jwt:\n  issuer: i\n  audience: a\n  jwks-file: /nowhere/keys.json\n", 5, "jwt.jwks-file",
                "does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "RS1", "EdDSA"})
    void onlySignaturesThatNobodyElseCanMakeAreTaken(String algorithm) {
        assertProblem(
                LEDGER + "jwt:\n  issuer: i\n  audience: a\n  jwks-url: https://x/y\n  algorithms: [" + algorithm
                        + "]\n",
                6, "jwt.algorithms", "ES256, ES384, ES512, PS256");
    }

    @Test
    void jwtOfAClientNeedsAnIssuer() {
        assertProblem(LEDGER + "clients:\n  - { name: a, jwt: true }\n", 3, "clients[0].jwt", "section jwt");
        assertProblem(LEDGER + "operators:\n  - { name: a, jwt: true }\n", 3, "operators[0].jwt", "section jwt");
        assertProblem(
                LEDGER + "clients: open\njwt: { issuer: i, audience: a, jwks-url: \"https://x/y\" }\n", 3, "jwt",
                "without a token");
        assertProblem(
                LEDGER + "jwt: { issuer: i, audience: a, jwks-url: \"https://x/y\", listed-only: true }\n", 2, "jwt",
                "an empty list lets nobody in");
    }

    @Test
    void boundOfAClientIsANumber() {
        assertProblem(
                LEDGER + "clients:\n  - { name: a, token-sha256: " + DIGEST + ", calls-per-second: 0 }\n", 3,
                "clients[0].calls-per-second", "from 1 to 1000000");
        assertProblem(
                LEDGER + "operators:\n  - { name: a, token-sha256: " + DIGEST + ", forwards: 3 }\n", 3, "operators[0]",
                "an operator makes none");
        assertProblem(
                LEDGER + "limits:\n  client-calls-per-second: 0\n", 3, "limits.client-calls-per-second",
                "from 1 to 1000000");
    }

    @Test
    void certificateAndKeyBelongTogether(@TempDir Path folder) throws IOException {
        Identity port = Identity.of(folder, "port");
        port.write(folder.resolve("tls.crt"), folder.resolve("tls.key"));
        Identity.of(folder, "other").write(folder.resolve("other.crt"), folder.resolve("other.key"));
        String head = LEDGER + "listen:\n  tls:\n    certificate: " + folder + "/tls.crt\n    key: " + folder;
        assertThat(problems(head + "/tls.key\n")).isEmpty();
        assertProblem(head + "/other.key\n", 5, "listen.tls.key", "not the key of the first certificate");
        assertProblem(head + "/none.key\n", 5, "listen.tls.key", "does not exist");
        assertProblem(head + "/tls.crt\n", 5, "listen.tls.key", "-----BEGIN PRIVATE KEY-----");
        assertProblem(
                head + "/tls.key\n    client-ca: " + folder + "/tls.key\n", 6, "listen.tls.client-ca",
                "no certificates");
        assertProblem(
                head + "/tls.key\n    client-certificates: required\n", 6, "listen.tls.client-certificates",
                "needs client-ca");
        assertProblem(
                LEDGER + "management: { tls: { certificate: " + folder + "/tls.crt } }\n", 2, "management.tls.key",
                "missing");
    }
}

package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Entry ids, downstream keys and `sent_as`. The values written out here are in ledgers: they must never change.
class DigestsTest {

    private static final IdempotencyKey KEY = IdempotencyKey.of("order-shipped:1001:2026-01-04");

    @Test
    void entryIdsAreTheBeginningOfADigestOverVersionClientAndKey() {
        assertThat(EntryId.of("pipelines", KEY)).hasToString("62c6fab5-bf52-8b5b-f032-3083d3730b15");
    }

    @Test
    void downstreamKeysStayTheSameForEver() {
        assertThat(DownstreamKey.derive("pipelines", KEY, 0)).isEqualTo("05ff8bea-7d2e-8633-b6e8-a88ded2db7ea");
        assertThat(DownstreamKey.derive("pipelines", KEY, 1)).isEqualTo("a454f8d5-ff32-885e-95df-1438c1db3056");
    }

    @Test
    void sentAsStaysTheSameForEver() {
        assertThat(SentAs.of("https://pay.example/v1", "k", "Idempotency-Key", "bare")).hasToString("ad57a2d00961046d");
    }

    @Test
    void noTwoClientsOrKeysShareAnEntryOrADownstreamKey() {
        Set<String> seen = new HashSet<>();
        for (String client : new String[] {"", "a", "ab", "a\ud800", "a?", "é"}) {
            for (String key : new String[] {"b", "bc", "c", "abc", "B"}) {
                assertThat(seen.add(EntryId.of(client, IdempotencyKey.of(key)).toString())).isTrue();
                for (int correction = 0; correction < 3; correction++) {
                    assertThat(seen.add(DownstreamKey.derive(client, IdempotencyKey.of(key), correction)))
                            .isTrue();
                }
            }
        }
    }

    @Test
    void downstreamKeysAreUuidsThatStrictProvidersAccept() {
        for (int correction = 0; correction < 100; correction++) {
            String key = DownstreamKey.derive("pipelines", KEY, correction);
            assertThat(key).hasSize(36);
            assertThat(UUID.fromString(key)).satisfies(uuid -> {
                assertThat(uuid.version()).isEqualTo(8);
                assertThat(uuid.variant()).isEqualTo(2);
            });
        }
    }

    @Test
    void entryIdsReadBackInEitherCase() {
        EntryId id = EntryId.of("pipelines", KEY);
        assertThat(EntryId.parse(id.toString())).contains(id);
        assertThat(EntryId.parse(id.toString().toUpperCase(Locale.ROOT))).contains(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1-1-1-1-1", "00000000-0000-0000-0000-00000000000g", "00000000000000000000000000000000",
        " 00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000\n",
        "00000000-0000-0000-0000-0000000000000"})
    void otherTextsAreNoEntryIds(String text) {
        assertThat(EntryId.parse(text)).isEmpty();
    }

    @Test
    void sentAsTellsEveryPartApartButTheCaseOfTheHeader() {
        SentAs sent = SentAs.of("https://a", "k", "Idempotency-Key", "bare");
        assertThat(sent).isEqualTo(SentAs.of("https://a", "k", "idempotency-key", "bare"))
                .hasSameHashCodeAs(SentAs.of(sent.bytes()))
                .isEqualTo(SentAs.of(sent.bytes()))
                .isNotEqualTo(SentAs.of("https://b", "k", "Idempotency-Key", "bare"))
                .isNotEqualTo(SentAs.of("https://a", "K", "Idempotency-Key", "bare"))
                .isNotEqualTo(SentAs.of("https://a", "k", "PayPal-Request-Id", "bare"))
                .isNotEqualTo(SentAs.of("https://a", "k", "Idempotency-Key", "quoted"))
                .isNotEqualTo(SentAs.of("https://ak", "", "Idempotency-Key", "bare"));
        assertThat(sent.bytes()).hasSize(8);
        assertThatThrownBy(() -> SentAs.of(new byte[7])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void digestsCannotBeChangedFromOutside() {
        SentAs sent = SentAs.of("https://a", "k", "h", "bare");
        sent.bytes()[0]++;
        assertThat(sent).isEqualTo(SentAs.of("https://a", "k", "h", "bare"));
    }
}

package dev.latchkey.postgres;

import static dev.latchkey.postgres.TestLedger.CLOCKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.latchkey.encryption.KeyRing;
import dev.latchkey.encryption.RingKey;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.postgres.PostgresSettings.Encryption;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Transition;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.TestPostgres;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An encrypted ledger keeps the whole contract; what it encrypted is read with its key and in its place only.
class EncryptedLedgerIT extends PostgresContract {

    private static final RingKey FIRST = key("2025", 1);
    private static final RingKey SECOND = key("2026", 2);

    /// By the statement of many, which the others of this suite's kind leave out.
    @RegisterExtension
    static final Suite SUITE = new Suite(database -> open(database, 1, Set.of(), FIRST, SECOND));

    private final LedgerCases cases = new LedgerCases();

    EncryptedLedgerIT() {
        super(SUITE);
    }

    private static RingKey key(String id, int each) {
        byte[] key = new byte[RingKey.LENGTH];
        Arrays.fill(key, (byte) each);
        return new RingKey(id, key);
    }

    private static PostgresLedger open(TestPostgres database, int leastTogether, Set<String> retired, RingKey... keys) {
        return PostgresLedger.open(settings(database, retired, keys), leastTogether, CLOCKS);
    }

    private static PostgresSettings settings(TestPostgres database, Set<String> retired, RingKey... keys) {
        PostgresSettings plain = TestLedger.settings(database);
        return new PostgresSettings(
                plain.url(), plain.user(), plain.password(), plain.connections(), plain.writer(), plain.durability(),
                plain.migrate(), new Encryption(new KeyRing(List.of(keys)), retired));
    }

    private PostgresLedger open(RingKey... keys) {
        return open(database(), 2, Set.of(), keys);
    }

    private EntryId recorded(Ledger by, String body) {
        LedgerCases.Key key = cases.key();
        long attempt = cases.attempt();
        by.claim(new Claim(key.ask(), attempt, new Grounds.NoEntry()));
        by.settle(key.id(), attempt, new Transition.Record(
                201, Headers.of("Location", "/canary"), Body.ofUtf8(body), false, Retention.usual()));
        return key.id();
    }

    private static RecordedResponse response(Ledger by, EntryId id) {
        return Objects.requireNonNull(Objects.requireNonNull(by.find(id)).response());
    }

    private static void assertReadable(Ledger by, EntryId id, String body) {
        RecordedResponse response = response(by, id);
        assertThat(response.unreadable()).isFalse();
        assertThat(Objects.requireNonNull(response.body()).utf8()).isEqualTo(body);
        assertThat(response.headers().first("Location")).contains("/canary");
    }

    private static void assertUnreadable(Ledger by, EntryId id) {
        RecordedResponse response = response(by, id);
        assertThat(response.unreadable()).isTrue();
        assertThat(response.body()).isNull();
        assertThat(response.headers()).isEqualTo(Headers.empty());
    }

    @Test
    void laterKeyInFrontReadsWhatTheEarlierOneEncrypted() {
        EntryId before = recorded(ledger(), "before");
        try (PostgresLedger rotated = open(SECOND, FIRST)) {
            EntryId after = recorded(rotated, "after");
            assertReadable(rotated, before, "before");
            assertReadable(ledger(), after, "after");
        }
    }

    @Test
    void whatWasWrittenBeforeThereWereKeysIsRead() {
        TestPostgres database = TestPostgres.create();
        try (PostgresLedger plain = open(database, 2, Set.of())) {
            EntryId before = recorded(plain, "before");
            try (PostgresLedger encrypted = open(database, 2, Set.of(), FIRST)) {
                EntryId after = recorded(encrypted, "after");
                assertReadable(encrypted, before, "before");
                // It had started before there were keys.
                assertUnreadable(plain, after);
                assertThat(plain.find(after)).extracting(Found::entry).extracting("target").isEqualTo("(encrypted)");
            }
        } finally {
            database.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "update response r set body = o.body from response o where o.entry_id = '%2$s' and r.entry_id = '%1$s'",
        "update response r set headers = o.headers from response o where o.entry_id = '%2$s' and r.entry_id = '%1$s'",
        "update response set body = headers where entry_id = '%1$s'",
        "update response set body = set_byte(body, 40, get_byte(body, 40) # 1) where entry_id = '%1$s'",
        "update response set body = 'plain' where entry_id = '%1$s'",
        "update response set headers = substring(headers for 5) where entry_id = '%1$s'",
        "update entry set attempt = attempt + 1 where entry_id = '%1$s'"
    })
    void whatWasChangedOrMovedIsNeverShown(String change) {
        EntryId id = recorded(ledger(), "mine");
        EntryId other = recorded(ledger(), "other");

        database().run(change.formatted(id, other));

        assertUnreadable(ledger(), id);
    }

    @Test
    void everyPartOfAnEntrysNameCounts() {
        Seals seals = new Seals(new KeyRing(List.of(FIRST)));
        UUID id = cases.key().id().uuid();
        Seals.Kept kept = seals.response(new EntryId(id), 1, Headers.of("A", "b"), Body.ofUtf8("mine"));
        String target = seals.target(new EntryId(id), "/mine");
        for (UUID other : List.of(
                new UUID(id.getMostSignificantBits() ^ 1, id.getLeastSignificantBits()),
                new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ 1))) {
            EntryId elsewhere = new EntryId(other);
            assertThat(seals.opened(elsewhere, 1, kept.headers(), kept.body(), null).unreadable()).isTrue();
            assertThat(seals.openedTarget(elsewhere, target)).isEqualTo("(encrypted)");
        }
    }

    @Test
    void responseThatAnEarlierProgramReadsFailsThere() {
        byte[] headers = new Seals(new KeyRing(List.of(FIRST)))
                .response(cases.key().id(), 1, Headers.of("A", "b"), null).headers();

        assertThatThrownBy(() -> HeaderBytes.read(headers)).isInstanceOf(RuntimeException.class);
    }

    // At the start

    @Test
    void wrongKeyIsSaid() {
        assertThatThrownBy(() -> open(key("2025", 9), SECOND)).isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("\"2025\" in ledger.encryption.keys is not the one");
    }

    @Test
    void missingKeysAreSaid() {
        assertThatThrownBy(() -> open(SECOND)).isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("\"2025\", and ledger.encryption.keys does not have it");
        assertThatThrownBy(this::withoutKeys).isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("\"2025\", \"2026\", and the settings name no key: add it there");
    }

    private PostgresLedger withoutKeys() {
        return PostgresLedger.open(TestLedger.settings(database()), CLOCKS);
    }

    /// A server that is away at the start is no failure; what is wrong is said once it answers, and nothing is done.
    @Test
    void wrongKeyThatIsFoundAfterTheStartIsSaidAndNothingIsReadOrWritten() {
        EntryId id = recorded(ledger(), "mine");
        PostgresSettings right = TestLedger.settings(database());
        int port = URI.create(right.url().substring("jdbc:".length())).getPort();
        try (CuttingProxy proxy = CuttingProxy.to(port)) {
            proxy.refuse();
            PostgresSettings wrong = new PostgresSettings(
                    right.url().replace(":" + port, ":" + proxy.port()), right.user(), right.password(),
                    right.connections(), right.writer(), right.durability(), false,
                    new Encryption(new KeyRing(List.of(key("2025", 9), SECOND)), Set.of()));
            try (PostgresLedger late = PostgresLedger.open(wrong, CLOCKS)) {
                assertThat(late.health().schemaFits()).isTrue();
                proxy.serve();
                await().until(() -> !late.health().schemaFits());
                assertThat(late.health().problem()).contains("\"2025\" in ledger.encryption.keys is not the one");
                assertThatThrownBy(() -> late.find(id)).isInstanceOf(LedgerUnavailable.class)
                        .hasMessageContaining("is not the one");
                LedgerCases.Key other = cases.key();
                assertThatThrownBy(() -> late.claim(new Claim(other.ask(), cases.attempt(), new Grounds.NoEntry())))
                        .isInstanceOf(LedgerUnavailable.class)
                        .satisfies(e -> assertThat(((LedgerUnavailable) e).commitUnknown()).isFalse());
                assertThat(ledger().find(other.id())).isNull();
            }
        }
    }

    @Test
    void twoKeysUnderOneIdAreSaidWithTheWayOut() {
        TestPostgres database = TestPostgres.create();
        try {
            open(database, 2, Set.of(), FIRST).close();
            database.run("insert into ledger_key (key_id, check_value) values ('2025', 'another')");
            assertThatThrownBy(() -> open(database, 2, Set.of(), FIRST)).isInstanceOf(LedgerUnfit.class)
                    .hasMessageContaining("Two keys are noted")
                    .hasMessageContaining("delete from ledger_key where key_id = '2025'");
            database.run("delete from ledger_key where key_id = '2025'");
            open(database, 2, Set.of(), FIRST).close();
        } finally {
            database.close();
        }
    }

    @Test
    void migratingWithAWrongKeyIsRefused() {
        PostgresSettings settings = TestLedger.settings(database());

        assertThatThrownBy(() -> PostgresLedger.migrate(settings, CLOCKS)).isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("ledger.encryption.retired");
    }

    @Test
    void retiredKeyIsNotMissedAndWhatItEncryptedCannotBeRead() {
        EntryId id = recorded(ledger(), "given up");
        try (PostgresLedger later = open(database(), 2, Set.of("2025"), SECOND)) {
            assertUnreadable(later, id);
        }
    }

    /// The other one notes its key after this one has looked, and before it notes its own.
    @Test
    void ofTwoThatStartAtOnceWithDifferentKeysOfOneNameNotBothStart() {
        TestPostgres database = TestPostgres.create();
        try {
            open(database, 2, Set.of()).close();
            database.run("""
                    create function note() returns trigger language plpgsql as $$ begin
                      if pg_trigger_depth() = 1 then insert into ledger_key values (new.key_id, '\\x00'); end if;
                      return new;
                    end $$;
                    create trigger note before insert on ledger_key for each row execute function note();
                    """);
            assertThatThrownBy(() -> open(database, 2, Set.of(), FIRST)).isInstanceOf(LedgerUnfit.class)
                    .hasMessageContaining("Two keys are noted in the ledger under the id \"2025\"");
        } finally {
            database.close();
        }
    }

    /// A standby may lack the note, and a wrong key would be taken after a failover.
    @Test
    void noteThatGotToNoStandbyIsNoSuccess() {
        TestPostgres database = TestPostgres.create();
        try {
            open(database, 2, Set.of()).close();
            database.run("""
                    create function trouble() returns trigger language plpgsql as $$ begin
                      raise warning 'canceling wait for synchronous replication';
                      return new;
                    end $$;
                    create constraint trigger trouble after insert on ledger_key deferrable initially deferred
                      for each row execute function trouble();
                    """);
            PostgresSettings settings = settings(database, Set.of(), FIRST);
            assertThatThrownBy(() -> PostgresLedger.migrate(settings, CLOCKS)).isInstanceOf(LedgerUnavailable.class)
                    .hasMessageContaining("SQLSTATE 01000");
        } finally {
            database.close();
        }
    }

    @Test
    void replicasThatStartAtOnceWithTheSameKeyAllStart() {
        TestPostgres database = TestPostgres.create();
        try {
            open(database, 2, Set.of()).close();
            Stream.generate(() -> FIRST).limit(4).parallel()
                    .forEach(each -> open(database, 2, Set.of(), each).close());
            open(database, 2, Set.of(), FIRST).close();
        } finally {
            database.close();
        }
    }
}

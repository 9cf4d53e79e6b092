package dev.latchkey.issuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.testing.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerTest {

    private static final Tokens TOKENS = Tokens.of("https://login.example", "one");
    private static final Tokens NEXT = Tokens.of("https://login.example", "two");
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong nanos = new AtomicLong();
    private final Clocks clocks = new Clocks() {
        @Override
        public Instant now() {
            return NOW;
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void sleep(Duration time) {
            nanos.addAndGet(time.toNanos());
        }
    };

    private Issuer issuer(Keys keys, String claim) {
        return new Issuer(
                new Issuer.Terms(
                        TOKENS.name(), Set.of("other", Tokens.AUDIENCE), claim, Issuer.ALGORITHMS,
                        Duration.ofSeconds(30)),
                keys, clocks);
    }

    private Issuer.Checked check(String token) {
        return issuer(Keys.of(TOKENS::keySet), "sub").check(token);
    }

    private static JWTClaimsSet.Builder good() {
        return TOKENS.claims("ann");
    }

    private void assertBad(JWTClaimsSet.Builder claims) {
        assertThat(check(TOKENS.token(claims.build()))).isEqualTo(new Issuer.Checked.Bad());
    }

    private void assertGood(JWTClaimsSet.Builder claims) {
        assertThat(check(TOKENS.token(claims.build()))).isEqualTo(new Issuer.Checked.Named("ann"));
    }

    private static Date at(Duration fromNow) {
        return Date.from(NOW.plus(fromNow));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "RS256", "RS512", "PS256"})
    void goodTokenNamesItsSubject(String algorithm) {
        String token = TOKENS.signed(JWSAlgorithm.parse(algorithm), good().build(), header -> header);
        assertThat(Issuer.looksLikeToken(token)).isTrue();
        assertThat(check(token)).isEqualTo(new Issuer.Checked.Named("ann"));
    }

    @Test
    void accessTokenIsOneToo() {
        String token = TOKENS.signed(
                JWSAlgorithm.ES256, good().build(), header -> header.type(new JOSEObjectType("at+jwt")));
        assertThat(check(token)).isEqualTo(new Issuer.Checked.Named("ann"));
        String other = TOKENS.signed(
                JWSAlgorithm.ES256, good().build(), header -> header.type(new JOSEObjectType("logout+jwt")));
        assertThat(check(other)).isEqualTo(new Issuer.Checked.Bad());
    }

    @Test
    void unsignedTokenIsBad() {
        assertThat(check(new PlainJWT(good().build()).serialize())).isEqualTo(new Issuer.Checked.Bad());
        String token = TOKENS.token("ann");
        assertThat(check(token.substring(0, token.lastIndexOf('.') + 1))).isEqualTo(new Issuer.Checked.Bad());
    }

    @Test
    void tokenThatIsNotToBeTakenWithoutUnderstandingItIsBad() {
        String token = TOKENS.signed(
                JWSAlgorithm.ES256, good().build(),
                header -> header.criticalParams(Set.of("until")).customParam("until", 1));
        assertThat(check(token)).isEqualTo(new Issuer.Checked.Bad());
    }

    @Test
    void publicKeyIsNoSecret() {
        String token = TOKENS.signed(JWSAlgorithm.HS256, good().build(), header -> header);
        assertThat(check(token)).isEqualTo(new Issuer.Checked.Bad());
        assertThatThrownBy(() -> KeySet.parse("{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0c2VjcmV0\"}]}"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageNotContaining("c2Vj");
    }

    @Test
    void algorithmThatIsNotAskedForIsBad() {
        Issuer narrow = new Issuer(
                new Issuer.Terms(TOKENS.name(), Set.of(Tokens.AUDIENCE), "sub", Set.of("ES256"), SECOND),
                Keys.of(TOKENS::keySet), clocks);
        String token = TOKENS.signed(JWSAlgorithm.RS256, good().build(), header -> header);
        assertThat(narrow.check(token)).isEqualTo(new Issuer.Checked.Bad());
        assertThat(narrow.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Named("ann"));
    }

    @Test
    void tokenOfAnotherKeyOrChangedIsBad() {
        assertThat(check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Bad());
        String token = TOKENS.token("ann");
        String other = TOKENS.token("bob");
        String mixed = other.substring(0, other.lastIndexOf('.')) + token.substring(token.lastIndexOf('.'));
        assertThat(check(mixed)).isEqualTo(new Issuer.Checked.Bad());
    }

    @Test
    void timesAreHeldWithTheLeeway() {
        assertBad(good().expirationTime(null));
        assertBad(good().expirationTime(at(Duration.ofSeconds(-31))));
        assertGood(good().expirationTime(at(Duration.ofSeconds(-29))));
        assertBad(good().notBeforeTime(at(Duration.ofSeconds(31))));
        assertGood(good().notBeforeTime(at(Duration.ofSeconds(29))));
    }

    @Test
    void issuerAndAudienceAreHeld() {
        assertBad(good().issuer("https://login.example/"));
        assertBad(good().issuer("https://login.example\u2028"));
        assertBad(good().issuer(null));
        assertBad(good().audience("somebody"));
        assertBad(good().audience((String) null));
        assertGood(good().audience(List.of("somebody", Tokens.AUDIENCE)));
    }

    @Test
    void namedClaimIsTheName() {
        Issuer named = issuer(Keys.of(TOKENS::keySet), "client_id");
        assertThat(named.check(TOKENS.token(good().claim("client_id", "jobs").build())))
                .isEqualTo(new Issuer.Checked.Named("jobs"));
        assertThat(named.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Bad());
        assertThat(named.check(TOKENS.token(good().claim("client_id", 7).build())))
                .isEqualTo(new Issuer.Checked.Bad());
    }

    @Test
    void subjectThatIsNoTextNamesNobody() {
        assertBad(good().claim("sub", 7));
        assertBad(good().claim("sub", List.of("ann")));
        assertBad(good().claim("sub", null));
    }

    @Test
    void keyThatMustNotBeUsedIsRefusedInAFile() throws JOSEException {
        RSAKey shortKey = new RSAKeyGenerator(1024, true).keyID("short").generate();
        String both = new JWKSet(List.of(TOKENS.curve().toPublicJWK(), shortKey.toPublicJWK())).toString(true);
        assertThatThrownBy(() -> KeySet.parse(both)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key 2").hasMessageContaining("1024 bits").hasMessageContaining("2048");
        String secret = new JWKSet(TOKENS.curve()).toString(false);
        assertThatThrownBy(() -> KeySet.parse(secret)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key 1").hasMessageContaining("secret part").hasMessageContaining("without d")
                .hasMessageNotContaining(TOKENS.curve().getD().toString());
    }

    @Test
    void keyThatMustNotBeUsedIsLeftOutOfWhatIsPublished() throws JOSEException {
        RSAKey shortKey = new RSAKeyGenerator(1024, true).keyID("short").generate();
        Published published = new Published();
        published.text = new JWKSet(List.of(TOKENS.curve().toPublicJWK(), shortKey.toPublicJWK(), NEXT.curve()))
                .toString(false);
        Issuer issuer = published.start(Runnable::run);
        assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Named("ann"));
        assertThat(issuer.check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Bad());
        List<String> unfit = new ArrayList<>();
        KeySet.published(published.text, unfit::add);
        assertThat(unfit).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "eyJ..", "a.b.c", "eyJhbGciOiJub25lIn0..", "eyJ9.eyJ9.eyJ9"})
    void nonsenseIsBad(String text) {
        assertThat(check(text)).isEqualTo(new Issuer.Checked.Bad());
    }

    /// What an issuer publishes, and how often it was asked; fetched when the test says so.
    private final class Published implements FetchedKeys.Fetch {
        private final AtomicInteger asked = new AtomicInteger();
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private String text = TOKENS.keySet();
        private boolean away;

        @Override
        public String text() {
            asked.incrementAndGet();
            if (away) {
                throw new IllegalStateException("away");
            }
            return text;
        }

        Issuer start(Executor background) {
            return issuer(FetchedKeys.start(this, clocks, background), "sub");
        }

        /// No fetch follows for a while.
        Issuer startedAndAskedTooOften() {
            Issuer issuer = start(Runnable::run);
            for (int i = 1; i < FetchedKeys.IN_A_ROW; i++) {
                assertThat(issuer.check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Bad());
            }
            return issuer;
        }
    }

    /// A key may be published, and a name of one invented, directly after a look.
    @Test
    void newAndInventedKeysAreLookedForAtOnceAndThenNowAndThen() throws Exception {
        Published published = new Published();
        Issuer issuer = published.start(Runnable::run);
        assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Named("ann"));
        assertThat(published.asked).hasValue(1);
        assertThat(issuer.check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Bad());
        assertThat(published.asked).hasValue(2);
        published.text = NEXT.keySet();
        assertThat(issuer.check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Named("ann"));
        assertThat(published.asked).hasValue(FetchedKeys.IN_A_ROW);
        for (int i = 0; i < 3; i++) {
            clocks.sleep(SECOND);
            assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Unclear());
            assertThat(published.asked).hasValue(3 + i);
            clocks.sleep(FetchedKeys.SELDOM.minus(SECOND));
            assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Bad());
            assertThat(published.asked).hasValue(4 + i);
        }
    }

    /// The issuer may have published its key since.
    @Test
    void fetchThatBeganBeforeTheCallSaysNothingOfItsKey() throws Exception {
        Published published = new Published();
        Issuer issuer = published.startedAndAskedTooOften();
        clocks.sleep(SECOND);
        assertThat(issuer.check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Unclear());
    }

    @Test
    void tokenThatIsNotForUsIsBadWhateverItsKey() throws Exception {
        Published published = new Published();
        Issuer issuer = published.startedAndAskedTooOften();
        clocks.sleep(SECOND);
        assertThat(issuer.check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Unclear());
        assertThat(issuer.check(NEXT.token(good().issuer("https://login.elsewhere").build())))
                .isEqualTo(new Issuer.Checked.Bad());
        assertThat(issuer.check(NEXT.token(good().expirationTime(at(Duration.ofMinutes(-5))).build())))
                .isEqualTo(new Issuer.Checked.Bad());
    }

    @Test
    void whileTheIssuerIsAwayKnownKeysAreGoodAndOthersUnclear() throws Exception {
        Published published = new Published();
        Issuer issuer = published.start(Runnable::run);
        published.away = true;
        clocks.sleep(FetchedKeys.STALE.plus(SECOND));
        assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Named("ann"));
        assertThat(issuer.check(NEXT.token("ann"))).isEqualTo(new Issuer.Checked.Unclear());
        assertThat(published.asked).hasValue(3);
    }

    @Test
    void beforeTheFirstKeysNothingCanBeSaid() {
        Published published = new Published();
        published.away = true;
        Issuer issuer = published.start(Runnable::run);
        assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Unclear());
    }

    @Test
    void knownKeyWaitsForNoFetch() throws Exception {
        Published published = new Published();
        Issuer issuer = published.start(task -> published.waiting.add(task));
        published.waiting.remove().run();
        clocks.sleep(FetchedKeys.STALE.plus(SECOND));
        assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Named("ann"));
        assertThat(published.waiting).as("a fetch that hangs").hasSize(1);
        clocks.sleep(FetchedKeys.STALE.plus(SECOND));
        assertThat(issuer.check(TOKENS.token("ann"))).isEqualTo(new Issuer.Checked.Named("ann"));
        assertThat(published.waiting).hasSize(1);
    }
}

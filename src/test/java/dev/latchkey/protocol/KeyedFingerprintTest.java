package dev.latchkey.protocol;

import static dev.latchkey.protocol.Samples.found;
import static dev.latchkey.protocol.Samples.holding;
import static dev.latchkey.protocol.Samples.recorded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Fingerprints made with keys: what compares with what, and that a replica that cannot compare says so.
class KeyedFingerprintTest {

    private static final FingerprintKeys OLD = keys(1);
    private static final FingerprintKeys NEW = keys(2);
    private static final FingerprintKeys BOTH = keys(2, 1);

    private static FingerprintKeys keys(int... tags) {
        return new FingerprintKeys(Arrays.stream(tags)
                .mapToObj(tag -> new FingerprintKeys.Key(
                        tag, digest -> new Sha256().number(tag).field(digest).finish()))
                .toList());
    }

    private static Ask ask(FingerprintKeys keys, String body) {
        return Samples.ask(holding(), "POST", "/payments", body, keys);
    }

    private static Decision decide(FingerprintKeys stored, FingerprintKeys here, String body, int status) {
        return Protocol.onCall(found(recorded(ask(stored, "{\"amount\":1}"), status)), ask(here, body), false);
    }

    private static Refusal refusal(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Refuse.class);
        return ((Decision.Refuse) decision).refusal();
    }

    @Test
    void keyedOneIsAVersionATagAndACode() {
        byte[] bytes = ask(keys(0x01020304), "{}").fingerprint().bytes();

        assertThat(bytes).hasSize(33).startsWith(2, 1, 2, 3, 4);
        assertThat(ask(keys(0x01020304), "{ }").fingerprint().bytes()).isEqualTo(bytes);
        assertThat(ask(NEW, "{}").fingerprint()).isNotEqualTo(ask(OLD, "{}").fingerprint());
    }

    @Test
    void theSameRequestIsReplayedHoweverItsFingerprintWasMade() {
        for (FingerprintKeys stored : List.of(FingerprintKeys.NONE, OLD, NEW)) {
            assertThat(decide(stored, BOTH, "{\"amount\": 1.0}", 201)).isInstanceOf(Decision.Replay.class);
        }
    }

    @Test
    void anotherRequestIsAMismatchHoweverItsFingerprintWasMade() {
        for (FingerprintKeys stored : List.of(FingerprintKeys.NONE, OLD, NEW)) {
            Refusal refusal = refusal(decide(stored, BOTH, "{\"amount\":2}", 201));
            assertThat(refusal.problem()).isEqualTo(Problem.KEY_REUSED);
            assertThat(refusal.differs()).containsExactly("body");
        }
    }

    @Test
    void whatDiffersIsToldHoweverItsFingerprintWasMade() {
        Ask other = Samples.ask(holding(), "PATCH", "/payments", "{\"amount\":1}", BOTH);

        assertThat(refusal(Protocol.onCall(found(recorded(ask(OLD, "{\"amount\":1}"), 201)), other, false)).differs())
                .containsExactly("method");
    }

    @Test
    void whoLacksTheKeySays503AndNeitherMismatchNorForward() {
        for (FingerprintKeys here : List.of(FingerprintKeys.NONE, NEW)) {
            for (String body : List.of("{\"amount\":1}", "{\"amount\":2}")) {
                for (int status : new int[] {201, 404}) {
                    assertThat(refusal(decide(OLD, here, body, status)).problem())
                            .isEqualTo(Problem.LEDGER_UNAVAILABLE);
                }
            }
        }
    }

    @Test
    void rejectionIsCorrectedByAnotherRequestOnly() {
        assertThat(decide(OLD, BOTH, "{\"amount\":1}", 404)).isInstanceOf(Decision.Replay.class);
        assertThat(decide(OLD, BOTH, "{\"amount\":2}", 404)).isInstanceOf(Decision.Forward.class);
        Function<String, Optional<Entry>> corrected =
                body -> new Claim(ask(BOTH, body), 2, new Grounds.NewGeneration(1))
                        .applyTo(recorded(ask(OLD, "{\"amount\":1}"), 404), Samples.NOW);
        assertThat(corrected.apply("{\"amount\":1}")).isEmpty();
        assertThat(corrected.apply("{\"amount\":2}").orElseThrow().fingerprint())
                .isEqualTo(ask(NEW, "{\"amount\":2}").fingerprint());
    }

    @Test
    void reforwardKeepsTheFingerprintThatWasMade() {
        Ask plain = Samples.ask(Samples.deduplicating(), "POST", "/payments", "{}", FingerprintKeys.NONE);
        Ask keyed = Samples.ask(Samples.deduplicating(), "POST", "/payments", "{}", BOTH);

        assertThat(new Claim(keyed, 2, new Grounds.Reforward(1)).applyTo(Samples.doubtful(plain), Samples.NOW)
                .orElseThrow().fingerprint()).isEqualTo(plain.fingerprint());
    }

    @Test
    void responseThatCannotBeReadIsNeitherGoneNorForwarded() {
        Ask ask = ask(OLD, "{}");
        Found found = new Found(recorded(ask, 201), RecordedResponse.unreadable(null), Samples.NOW);

        Refusal refusal = refusal(Protocol.onCall(found, ask, false));
        assertThat(refusal.problem()).isEqualTo(Problem.LEDGER_UNAVAILABLE);
        assertThat(refusal.status()).isEqualTo(503);
        assertThat(refusal.forwarded()).isEqualTo(Refusal.Forwarded.MAYBE);
        assertThat(Protocol.onRead(found, holding())).isEqualTo(new Decision.Refuse(refusal));
    }

    @Test
    void holderIsToldThatItsResultCannotBeCompared() {
        Transition.Result result =
                new Transition.Result(Headers.empty(), Body.ofUtf8("done"), Retention.usual());
        Found found = new Found(recorded(ask(OLD, "{}"), 201), RecordedResponse.unreadable(null),
                Samples.NOW.plus(Duration.ofSeconds(1)));

        assertThat(Protocol.onLostClaim(found, 1, result).orElseThrow().problem())
                .isEqualTo(Problem.LEDGER_UNAVAILABLE);
    }
}

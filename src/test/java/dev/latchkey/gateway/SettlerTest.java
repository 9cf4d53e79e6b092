package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.testing.FixedClocks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Doubt that a lookup settles (contract §11).
class SettlerTest {

    private static final Instant START = Instant.parse("2026-01-04T10:00:00Z");
    private static final Duration DELAY = Duration.ofMinutes(5);
    private static final JsonPointer FIRST = JsonPointer.compile("/data/0");

    private final MemoryLedger ledger = new MemoryLedger(START);
    private final LedgerCases cases = new LedgerCases();
    private final LedgerCases.Key key = cases.key();
    private final Ask ask = key.ask(LedgerCases.Change.RESEND);
    private final Told downstream = new Told();
    private final FixedClocks clocks = new FixedClocks(START);
    private final AtomicLong random = new AtomicLong();
    private final Settler settler = settler(Duration.ZERO);

    private Settler settler(Duration after) {
        Lookup lookup = new Lookup(
                "/payments?k={downstream-key}", new Lookup.Rule(Set.of(200), FIRST, null), new Lookup.Shape(201, FIRST),
                new Lookup.Rule(Set.of(200), null, FIRST), after);
        RoutePlan plan = new RoutePlan(
                ask.route(), downstream, new KeySending(KeySending.Value.DERIVED, "Idempotency-Key", false),
                () -> Headers.of("Authorization", "Bearer route"), Set.of(), FingerprintPolicy.PLAIN);
        return new Settler(
                ledger, List.of(new Settler.Route(plan, lookup)), DELAY, clocks, random::incrementAndGet);
    }

    @Test
    void executedIsRecordedAndReplayedInTheRoutesShape() {
        doubt();
        pass(ask.route().lease().plusSeconds(1));
        downstream.says = "{\"data\":[{\"id\":\"pay_1\"}]}";
        assertThat(settler.runOnce()).isEqualTo(1);
        Found found = found();
        assertThat(found.entry().state()).isEqualTo(State.RECORDED);
        assertThat(found.entry().status()).isEqualTo(201);
        assertThat(found.entry().settledBy()).isEqualTo("lookup");
        assertThat(Objects.requireNonNull(found.response()).body()).isEqualTo(Body.ofUtf8("{\"id\":\"pay_1\"}"));
    }

    @Test
    void nobodyIsAskedBeforeTheLeaseIsOver() {
        doubt();
        downstream.says = "{\"data\":[1]}";
        assertThat(settler.runOnce()).isZero();
        assertThat(downstream.asked).isEmpty();
    }

    @Test
    void firstLookWaitsForItsTime() {
        Settler later = settler(Duration.ofMinutes(2));
        doubt();
        downstream.says = "{\"data\":[1]}";
        pass(ask.route().lease().plusSeconds(119));
        later.runOnce();
        assertThat(downstream.asked).isEmpty();
        pass(Duration.ofSeconds(2));
        assertThat(later.runOnce()).isEqualTo(1);
    }

    @Test
    void notExecutedFreesTheKeyOnlyAfterTheDelay() {
        doubt();
        downstream.says = "{\"data\":[]}";
        settler.runOnce();
        pass(ask.route().lease().plusSeconds(1));
        settler.runOnce();
        assertThat(found().entry().state()).isEqualTo(State.IN_DOUBT);
        pass(DELAY);
        assertThat(settler.runOnce()).isEqualTo(1);
        assertThat(found().entry().state()).isEqualTo(State.RELEASED);
    }

    @Test
    void settlerBelievesItsOwnClockToo() {
        doubt();
        downstream.says = "{\"data\":[]}";
        ledger.advance(ask.route().lease().plus(DELAY).plusSeconds(1));
        assertThat(settler.runOnce()).isZero();
        assertThat(found().entry().state()).isEqualTo(State.IN_DOUBT);
        pass(DELAY);
        assertThat(settler.runOnce()).isEqualTo(1);
    }

    /// Found by [Simulation], which stopped a replica within its look.
    @Test
    void lookThatTakesLongTellsOfTheTimeWhenItBegan() {
        doubt();
        downstream.says = "{\"data\":[]}";
        ledger.advance(ask.route().lease().plus(DELAY).plusSeconds(1));
        downstream.meanwhile = () -> pass(DELAY);
        assertThat(settler.runOnce()).isZero();
        assertThat(found().entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void oddAnswersAreAskedForEverMoreSeldom() {
        doubt();
        downstream.says = "<html>";
        pass(ask.route().lease().plusSeconds(1));
        for (int second = 0; second < 600; second++) {
            settler.runOnce();
            pass(Duration.ofSeconds(1));
        }
        assertThat(downstream.asked).hasSizeBetween(5, 20);
        assertThat(found().entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void questionCarriesTheRoutesCredentialAndTheDownstreamKey() {
        Entry entry = doubt();
        pass(ask.route().lease().plusSeconds(1));
        downstream.says = "{}";
        settler.runOnce();
        Forward asked = downstream.asked.getFirst();
        String sent = new KeySending(KeySending.Value.DERIVED, "Idempotency-Key", false).keyOf(entry);
        assertThat(asked.method()).isEqualTo("GET");
        assertThat(asked.path()).isEqualTo("/payments");
        assertThat(asked.query()).isEqualTo("k=" + sent);
        assertThat(asked.headers().all("Authorization")).containsExactly("Bearer route");
    }

    private Entry doubt() {
        long attempt = cases.attempt();
        Ledger.Claimed claimed = ledger.claim(new Claim(ask, attempt, new Grounds.NoEntry()));
        assertThat(claimed).isInstanceOf(Ledger.Claimed.Won.class);
        ledger.settle(key.id(), attempt, Transition.Doubt.of(Cause.TIMEOUT));
        return ((Ledger.Claimed.Won) claimed).entry();
    }

    private Found found() {
        return Objects.requireNonNull(ledger.find(key.id()));
    }

    private void pass(Duration time) {
        ledger.advance(time);
        clocks.forward(time);
    }

    /// A downstream that answers every question alike.
    private static final class Told implements Downstream {
        private final List<Forward> asked = Collections.synchronizedList(new ArrayList<>());
        private volatile String says = "";
        private volatile Runnable meanwhile = () -> {};

        @Override
        public Outcome send(Forward forward, SendWindow window, Duration patience, Overflow overflow) {
            asked.add(forward);
            meanwhile.run();
            return new Outcome.Answered(200, Headers.empty(), Body.ofUtf8(says), true);
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}

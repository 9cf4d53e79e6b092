package dev.latchkey.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EffectsTest {

    private static final PaymentOrder ORDER = new PaymentOrder(new BigDecimal("25.00"), "EUR");
    private static final byte[] BODY = "hello".getBytes(StandardCharsets.UTF_8);
    private static final String DIGEST = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

    @Test
    void oneKeyPaysOnce() {
        Effects effects = new Effects(10);
        Payment first = effects.pay(Optional.of("a"), BODY, ORDER);
        assertThat(effects.pay(Optional.of("a"), BODY, ORDER)).isSameAs(first);
        assertThat(effects.tally().payments()).isEqualTo(Map.of("a", 1));
        assertThat(effects.paymentsOf("a")).containsExactly(first);
        assertThat(effects.payment(first.id())).contains(first);
    }

    @Test
    void withoutAKeyEachPaymentHappensAndIsCountedByItsBody() {
        Effects effects = new Effects(10);
        effects.pay(Optional.empty(), BODY, ORDER);
        effects.pay(Optional.empty(), BODY, ORDER);
        assertThat(effects.tally().payments()).isEqualTo(Map.of(DIGEST, 2));
    }

    @Test
    void oneKeyNotifiesAsOftenAsItIsSent() {
        Effects effects = new Effects(10);
        String first = effects.notification(Optional.of("a"), BODY);
        assertThat(effects.notification(Optional.of("a"), BODY)).isNotEqualTo(first);
        effects.notification(Optional.empty(), BODY);
        assertThat(effects.tally().notifications()).isEqualTo(Map.of("a", 2, DIGEST, 1));
    }

    @Test
    void theOldestEffectIsForgottenWithItsKey() {
        Effects effects = new Effects(2);
        Payment oldest = effects.pay(Optional.of("a"), BODY, ORDER);
        effects.notification(Optional.of("n"), BODY);
        effects.notification(Optional.of("n"), BODY);
        assertThat(effects.payment(oldest.id())).isEmpty();
        assertThat(effects.paymentsOf("a")).isEmpty();
        effects.pay(Optional.of("b"), BODY, ORDER);
        assertThat(effects.tally()).isEqualTo(new Effects.Tally(Map.of("b", 1), Map.of("n", 1), 4, 2));
    }

    @Test
    void newestPaymentsComeFirst() {
        Effects effects = new Effects(10);
        effects.pay(Optional.of("a"), BODY, ORDER);
        Payment second = effects.pay(Optional.of("b"), BODY, ORDER);
        Payment third = effects.pay(Optional.of("c"), BODY, ORDER);
        assertThat(effects.newestPayments(2)).containsExactly(third, second);
    }
}

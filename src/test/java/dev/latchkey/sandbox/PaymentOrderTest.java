package dev.latchkey.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PaymentOrderTest {

    @ParameterizedTest
    @ValueSource(strings = {"25.50", "25", "9007199254740993", "0.001"})
    void amountKeepsItsDigits(String amount) {
        assertThat(read("{\"amount\":" + amount + "}").amount()).isEqualTo(new BigDecimal(amount));
    }

    @Test
    void currencyIsUpperCaseAndMayBeLeftOut() {
        assertThat(read("{\"amount\":1,\"currency\":\"usd\"}").currency()).isEqualTo("USD");
        assertThat(read("{\"amount\":1}").currency()).isEqualTo("EUR");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|', value = {
                "{}|422",
                "[]|422",
                "{\"amount\":null}|422",
                "{\"amount\":\"25.50\"}|422",
                "{\"amount\":0}|422",
                "{\"amount\":-1}|422",
                "{\"amount\":12345678901234567890123456789012345}|422",
                "{\"amount\":1,\"currency\":\"euro\"}|422",
                "{\"amount\":1,\"currency\":978}|422",
                "{\"amount\":1|400",
                "{\"amount\":1}{|400",
                "{\"amount\":1,\"amount\":2}|400",
                "''|422"
            })
    void refusalsAreForTheBodyOrForItsMeaning(String body, int status) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.answer().status()).isEqualTo(status));
    }

    @Test
    void formIsReadAsJsonIs() {
        assertThat(PaymentOrder.ofForm("25.50", "eur")).isEqualTo(read("{\"amount\":25.50,\"currency\":\"EUR\"}"));
        assertThat(PaymentOrder.ofForm("2550", null)).isEqualTo(read("{\"amount\":2550}"));
        for (String amount : new String[] {"", "0", "-1", "1e3", "much", "1".repeat(35)}) {
            assertThatThrownBy(() -> PaymentOrder.ofForm(amount, "eur")).as(amount).isInstanceOf(Refusal.class);
        }
        assertThatThrownBy(() -> PaymentOrder.ofForm(null, "eur")).isInstanceOf(Refusal.class);
    }

    @Test
    void hugeExponentCostsNothing() {
        assertThat(read("{\"amount\":1e999999999}").amount().precision()).isEqualTo(1);
    }

    private static PaymentOrder read(String body) {
        return PaymentOrder.read(body.getBytes(StandardCharsets.UTF_8));
    }
}

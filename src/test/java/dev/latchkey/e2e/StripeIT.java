package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.stripe.Stripe;
import com.stripe.StripeClient;
import com.stripe.exception.ApiException;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
import com.stripe.net.RequestOptions;
import com.stripe.param.PaymentIntentCreateParams;
import dev.latchkey.testing.Cut;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Ending;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Spot;
import dev.latchkey.testing.Step;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Scenario 13: a payments SDK with keys and retries of its own, its base URL pointed at a route, does not notice the
/// gateway, and its retries are replays.
@EndToEnd
final class StripeIT {

    private static final String PATH = "/v1/payment_intents";
    private static final int READ_TIMEOUT_MILLIS = 2000;

    private final World world;
    private final RawDownstream downstream;

    StripeIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    /// It would keep an id in the home directory.
    @BeforeAll
    static void withoutTelemetry() {
        Stripe.enableTelemetry = false;
    }

    @Test
    void retryAfterALostAnswerIsAReplayUnderAKeyOfTheCallers() throws Exception {
        answersAt("/pay/stripe-given");
        String key = "order-paid:" + UUID.randomUUID();
        PaymentIntent payment = payThroughSilence("/payments/stripe-given", key);
        assertThat(field(payment, "Idempotent-Replayed")).isEqualTo("true");
        assertThat(field(payment, "Idempotency-Key")).isEqualTo('"' + key + '"');
        Received received = onePayment("/pay/stripe-given");
        assertThat(received.text().split("&"))
                .containsExactlyInAnyOrder("amount=2550", "currency=eur", "description=caf%C3%A9");
        assertThat(received.header("Authorization")).isEqualTo("Bearer canary-credential-route");
        assertThat(received.header("Stripe-Version")).isEqualTo(Stripe.API_VERSION);
        assertThat(received.key()).isNotEmpty().isNotEqualTo(key);
    }

    @Test
    void retryAfterALostAnswerIsAReplayUnderAKeyOfTheSdks() throws Exception {
        answersAt("/pay/stripe-own");
        PaymentIntent payment = payThroughSilence("/payments/stripe-own", null);
        assertThat(field(payment, "Idempotent-Replayed")).isEqualTo("true");
        onePayment("/pay/stripe-own");
        pay(client(world.gateway().port(), "/payments/stripe-own"), null, null);
        assertThat(downstream.receivedAt("/pay/stripe-own" + PATH)).as("another call is another payment")
                .extracting(Received::key).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void accountIsPartOfTheRequest() throws Exception {
        answersAt("/picky/stripe");
        StripeClient stripe = client(world.gateway().port(), "/picky/stripe");
        String key = "order-paid:" + UUID.randomUUID();
        pay(stripe, key, "acct_1");
        assertThat(field(pay(stripe, key, "acct_1"), "Idempotent-Replayed")).isEqualTo("true");
        StripeException refused =
                catchThrowableOfType(ApiException.class, () -> pay(stripe, key, "acct_2"));
        assertThat(refused.getStatusCode()).isEqualTo(422);
        assertThat(refused.getMessage()).contains("/problems/key-reused");
        assertThat(onePayment("/picky/stripe").header("Stripe-Account")).isEqualTo("acct_1");
    }

    private void answersAt(String path) {
        downstream.always(path + PATH, Step.json(200, """
                {"id":"pi_1","object":"payment_intent","amount":2550,"currency":"eur","status":"succeeded"}"""));
    }

    /// The first answer never arrives, and nobody is told: the SDK's own timeout ends the wait.
    private PaymentIntent payThroughSilence(String base, @Nullable String key) throws Exception {
        try (CuttingProxy network = CuttingProxy.to(world.gateway().port())) {
            Cut silence = Cut.ofAnswer("POST " + base, Spot.before("HTTP/1.1 200"), Ending.SILENCE);
            network.with(silence);
            PaymentIntent payment = pay(client(network.port(), base), key, null);
            silence.awaitStruck();
            return payment;
        }
    }

    private static StripeClient client(int port, String base) {
        return StripeClient.builder()
                .setApiKey(ALICE.token())
                .setApiBase("http://127.0.0.1:" + port + base)
                .setMaxNetworkRetries(3)
                .setReadTimeout(READ_TIMEOUT_MILLIS)
                .build();
    }

    private static PaymentIntent pay(StripeClient stripe, @Nullable String key, @Nullable String account)
            throws StripeException {
        RequestOptions.RequestOptionsBuilder options = RequestOptions.builder();
        if (key != null) {
            options.setIdempotencyKey(key);
        }
        if (account != null) {
            options.setStripeAccount(account);
        }
        PaymentIntentCreateParams payment = PaymentIntentCreateParams.builder()
                .setAmount(2550L).setCurrency("eur").setDescription("café").build();
        return stripe.v1().paymentIntents().create(payment, options.build());
    }

    private Received onePayment(String path) {
        List<Received> payments = downstream.receivedAt(path + PATH);
        assertThat(payments).hasSize(1);
        return payments.getFirst();
    }

    private static String field(PaymentIntent payment, String name) {
        return payment.getLastResponse().headers().firstValue(name).orElse("absent");
    }
}

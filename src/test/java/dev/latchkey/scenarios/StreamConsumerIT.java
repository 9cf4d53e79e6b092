package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Scenario 7, beside the page: a producer that sends again puts the same event at a second offset.
@QuickStart.Started
final class StreamConsumerIT {

    /// An event as it was delivered.
    private record Delivery(int offset, int order) {}

    private static final List<Delivery> TOPIC =
            List.of(new Delivery(0, 101), new Delivery(1, 102), new Delivery(2, 103), new Delivery(3, 102));

    private final QuickStart quickStart;

    StreamConsumerIT(QuickStart quickStart) {
        this.quickStart = quickStart;
    }

    @Test
    void keyOfTheOffsetSendsTwiceForOneEvent() {
        TOPIC.forEach(event -> notify("by-offset:" + event.offset(), body("offset", event.order())));
        assertThat(List.of(101, 102, 103)).map(order -> quickStart.notifications(body("offset", order)))
                .containsExactly(1, 2, 1);
    }

    @Test
    void keyOfTheOrderSendsOnce() {
        TOPIC.forEach(event -> notify("by-order:" + event.order(), body("order", event.order())));
        assertThat(List.of(101, 102, 103)).map(order -> quickStart.notifications(body("order", order)))
                .containsExactly(1, 1, 1);
    }

    private void notify(String key, String body) {
        quickStart.gateway().open().header("Idempotency-Key", key).contentType("application/json").body(body)
                .post("/notifications").then().statusCode(202);
    }

    private static String body(String keyedBy, int order) {
        return "{\"keyed_by\": \"" + keyedBy + "\", \"order_id\": " + order + "}";
    }
}

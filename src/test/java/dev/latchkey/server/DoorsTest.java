package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.Door;
import dev.latchkey.gateway.KeyRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoorsTest {

    private final Doors doors = new Doors(RunningServer.doors());

    @ParameterizedTest
    @CsvSource({
        "/payments, payments, ''",
        "/payments/, payments, /",
        "/payments/a/b, payments, /a/b",
        "/payments/refunds, refunds, ''",
        "/payments/refunds/1, refunds, /1",
        "/payments/refundsx, payments, /refundsx"
    })
    void theLongestWholePrefixWins(String path, String route, String below) {
        assertThat(doors.find(path)).hasValueSatisfying(found -> {
            assertThat(found.door().name()).isEqualTo(route);
            assertThat(found.below()).isEqualTo(below);
        });
    }

    @ParameterizedTest
    @CsvSource({"/paymentsx", "/payment", "/", "/x/payments", "/Payments", "payments"})
    void aPartOfASegmentIsNoPrefix(String path) {
        assertThat(doors.find(path)).isEmpty();
    }

    @Test
    void theRootTakesWhatNothingElseTakes() {
        Door root = new Door(RunningServer.route("all"), "/", new KeyRule.Optional());
        Doors withRoot = new Doors(List.of(root, RunningServer.doors().getFirst()));
        assertThat(withRoot.find("/x/y")).hasValue(new Doors.Found(root, "/x/y"));
        assertThat(withRoot.find("/payments/y").orElseThrow().door().name()).isEqualTo("payments");
    }
}

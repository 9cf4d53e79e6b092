package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.postgres.PostgresSettings.Writer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharesTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8, 17, 32, 1000})
    void nobodyGetsMoreThanThereIs(int connections) {
        Shares batched = Shares.of(connections, Writer.BATCHED);

        int reader = batched.batched() ? 1 : 0;
        assertThat(batched.pool() + batched.writers() + reader).isEqualTo(connections);
        assertThat(batched.pool()).isPositive();
        assertThat(batched.writers()).isBetween(0, 8);
    }

    /// Reads have one of the lanes' connections, and borrow another only where a third is left.
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 17, 32})
    void readsThatAreStuckLeaveAConnectionToWriteBy(int connections) {
        Shares batched = Shares.of(connections, Writer.BATCHED);

        assertThat(batched.writers() + 1 - batched.readers()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 32})
    void plainHasNoLanes(int connections) {
        assertThat(Shares.of(connections, Writer.PLAIN)).isEqualTo(new Shares(connections, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tooFewForLanesGoAlone(int connections) {
        assertThat(Shares.of(connections, Writer.BATCHED).batched()).isFalse();
    }
}

package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Batches take turns.
class BatchPlacesTest {

    @Test
    void largeBatchThatCameFirstLeavesEveryOtherPlaceToASmallOne() throws InterruptedException {
        BatchPlaces places = new BatchPlaces(4, 1);
        BatchPlaces.Share large = places.open();
        BatchPlaces.Share small = places.open();
        List<String> begun = new CopyOnWriteArrayList<>();
        large.take();
        Thread wanting = Thread.ofVirtual().start(() -> {
            small.take();
            begun.add("small");
        });
        await().until(() -> places.asking() == 1);
        // The large one's next line: its own thread gives a place back and asks at once for another.
        Thread going = Thread.ofVirtual().start(() -> {
            large.give();
            large.take();
            begun.add("large");
        });
        wanting.join();
        await().until(() -> places.asking() == 1);
        assertThat(begun).containsExactly("small");
        small.give();
        going.join();
        assertThat(begun).containsExactly("small", "large");
        large.give();
        assertThat(places.free()).isEqualTo(1);
    }

    @Test
    void batchHasItsOwnBoundAndKeepsNoPlaceOfOthersWhileItWaits() throws InterruptedException {
        BatchPlaces places = new BatchPlaces(1, 5);
        BatchPlaces.Share batch = places.open();
        batch.take();
        Thread second = Thread.ofVirtual().start(batch::take);
        await().until(() -> second.getState() == Thread.State.WAITING);
        assertThat(places.free()).isEqualTo(4);
        batch.give();
        second.join();
        assertThat(places.free()).isEqualTo(4);
        batch.give();
        assertThat(places.free()).isEqualTo(5);
    }
}

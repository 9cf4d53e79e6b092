package dev.latchkey.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.http.Headers;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// What becomes of spans that a collector does not take in time.
class SpanSendingTest {

    private static final int MOST = 10;
    private static final CallEnd END = new CallEnd(null, null, null, null, "fresh", "true", 201);

    private final Metrics metrics = new Metrics("test");
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch exporting = new CountDownLatch(1);

    private final SpanExporter exporter = new SpanExporter() {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            exporting.countDown();
            try {
                hanging.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    };

    private double spans(String result) {
        return metrics.scrape().lines()
                .filter(line -> line.startsWith("latchkey_spans_total{result=\"" + result + "\"}"))
                .mapToDouble(line -> Double.parseDouble(line.split(" ", 2)[1]))
                .sum();
    }

    @Test
    void spanForWhichThereIsNoRoomIsCountedAsLost() throws InterruptedException {
        Collector collector = new Collector(URI.create("http://collector.test"), Map::of, 1.0, "test", Map.of());
        try (SpanSending sending = SpanSending.to(exporter, MOST, collector, metrics)) {
            sending.begin(Headers.empty(), "POST").end(END, 0);
            exporting.await();
            for (int i = 0; i < MOST + 7; i++) {
                sending.begin(Headers.empty(), "POST").end(END, 0);
            }
            assertThat(spans("lost")).isEqualTo(7);
            hanging.countDown();
            await().until(() -> spans("sent") == MOST + 1);
            assertThat(spans("lost")).isEqualTo(7);
        }
    }
}

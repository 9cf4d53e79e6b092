package dev.latchkey.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracesTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    private long now;
    private final Traces traces = Traces.unsent(() -> now, () -> 0x1234L);

    @ParameterizedTest
    @ValueSource(strings = {"00", "01", "02"})
    void aCallersTraceGoesOn(String flags) {
        Trace trace = begin("00-" + TRACE + "-00f067aa0ba902b7-" + flags);
        assertThat(trace.id()).isEqualTo(TRACE);
        assertThat(trace.beginForward("payments", "POST").traceparent())
                .isEqualTo("00-" + TRACE + "-0000000000001234-" + flags);
    }

    @Test
    void aTraceThatBeginsHereMayBeSampledFurtherOn() {
        assertThat(begin("").beginForward("payments", "POST").traceparent())
                .isEqualTo("00-00000000000012340000000000001234-0000000000001234-01");
    }

    @Test
    void aLaterVersionMaySayMore() {
        assertThat(begin("01-" + TRACE + "-00f067aa0ba902b7-01-more").isContinued()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "x", "00-" + TRACE + "-00f067aa0ba902b7-01-more", "00-" + TRACE + "-00f067aa0ba902b7-01x",
        "ff-" + TRACE + "-00f067aa0ba902b7-01", "00-" + TRACE + "-0000000000000000-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-" + TRACE + "-00F067AA0BA902B7-01",
        "00-" + TRACE + "-00f067aa0ba902b7_01"
    })
    void whatIsNoTraceBeginsANewOne(String field) {
        Trace trace = begin(field);
        assertThat(trace.isContinued()).isFalse();
        assertThat(trace.id()).isEqualTo("00000000000012340000000000001234");
    }

    @Test
    void ourOwnTimeIsWithoutTheForwardAndWithoutWaiting() {
        Trace trace = begin("");
        now = 100;
        long whole = trace.now();
        Trace.Step forward = trace.beginForward("payments", "POST");
        now = 700;
        forward.close();
        long since = trace.now();
        now = 1_000;
        trace.waited(since);
        now = 1_050;
        trace.answered(whole);
        now = 9_000;
        assertThat(trace.own()).isEqualTo(50);
        assertThat(trace.nanos(Trace.Part.FORWARD)).isEqualTo(600);
        assertThat(trace.nanos(Trace.Part.CLAIM)).isZero();
    }

    /// The caller is told 504, and the forward goes on.
    @Test
    void aForwardThatGoesOnIsNotOurs() {
        Trace trace = begin("");
        long whole = trace.now();
        trace.beginForward("payments", "POST");
        now = 5_000;
        trace.answered(whole);
        assertThat(trace.own()).isZero();
    }

    private Trace begin(String traceparent) {
        return traces.begin(Headers.of("traceparent", traceparent), "POST", true);
    }
}

package dev.latchkey.config;

import org.jspecify.annotations.Nullable;

/// `telemetry`.
///
/// @param logLevel lines that matter less are not written
/// @param sampling share of the traces that begin here of which spans are sent, from 0 to 1; a caller's decision is kept
/// @param otlp where spans go; null: nowhere
public record TelemetrySettings(LogLevel logLevel, double sampling, @Nullable OtlpSettings otlp) {

    public TelemetrySettings {
        new Checks()
                .that(sampling >= 0 && sampling <= 1, "sampling", sampling + " is out of range; write 0, 1 or between")
                .done();
    }

    public static TelemetrySettings defaults() {
        return new TelemetrySettings(LogLevel.INFO, 1, null);
    }
}

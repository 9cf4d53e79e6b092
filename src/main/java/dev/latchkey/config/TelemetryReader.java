package dev.latchkey.config;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads `telemetry`. For one thread.
final class TelemetryReader {

    private static final URI NOWHERE = URI.create("http://localhost");

    private TelemetryReader() {}

    static TelemetrySettings read(Section section) {
        TelemetrySettings byDefault = TelemetrySettings.defaults();
        LogLevel level = section.choice("log-level", byDefault.logLevel());
        double sampling = section.read("sampling", byDefault.sampling(), TelemetryReader::share);
        OtlpSettings otlp = section.has("otlp") ? otlp(section.section("otlp")) : null;
        return section.checked(() -> new TelemetrySettings(level, sampling, otlp), TelemetrySettings::defaults);
    }

    private static @Nullable OtlpSettings otlp(Section section) {
        URI endpoint = section.required(
                "endpoint", NOWHERE, BaseUrl::parse, "write where the collector is, as in http://collector:4318");
        List<HeaderSetting> headers = DownstreamReader.headers(section.section("headers"));
        return section.<@Nullable OtlpSettings>checked(() -> new OtlpSettings(endpoint, headers), () -> null);
    }

    private static double share(String text) {
        try {
            double share = Double.parseDouble(text);
            if (Double.isFinite(share)) {
                return share;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new IllegalArgumentException(Quoted.of(text) + " is not a share; write a number from 0 to 1, as in 0.1");
    }
}

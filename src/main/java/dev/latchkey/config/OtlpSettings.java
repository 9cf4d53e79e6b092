package dev.latchkey.config;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `telemetry.otlp`.
///
/// @param endpoint base URL of the collector; spans go to `/v1/traces` below it
/// @param headers put on what is sent there
public record OtlpSettings(URI endpoint, List<HeaderSetting> headers) {

    public OtlpSettings {
        new Checks().add("endpoint", BaseUrl.check(endpoint)).done();
        endpoint = BaseUrl.withoutTrailingSlash(endpoint);
        headers = List.copyOf(headers);
    }

    /// Where spans go.
    public URI traces() {
        return URI.create(endpoint + "/v1/traces");
    }

    /// As they are now: a credential may be renewed.
    public Map<String, String> currentHeaders() {
        Map<String, String> fields = new HashMap<>();
        headers.forEach(header -> fields.put(header.name(), header.value().get()));
        return fields;
    }
}

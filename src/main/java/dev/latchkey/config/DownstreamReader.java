package dev.latchkey.config;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns `routes[].downstream` into its record.
final class DownstreamReader {

    static final URI NOWHERE = URI.create("http://localhost");

    private DownstreamReader() {}

    static DownstreamSettings read(Section section) {
        URI url = section.required("url", NOWHERE, BaseUrl::parse, "write where calls go, as in https://HOST");
        Duration timeout = section.read("timeout", DownstreamSettings.TIMEOUT, Values::duration);
        Duration connectTimeout = section.read(
                "connect-timeout", DownstreamSettings.connectTimeoutWithin(timeout), Values::duration);
        int maxConcurrent = section.read("max-concurrent", DownstreamSettings.MAX_CONCURRENT, Values::whole);
        List<HeaderSetting> headers = headers(section.section("headers"));
        DownstreamKeySettings key = key(section.section("key"));
        Duration deduplicates = section.<@Nullable Duration>read("deduplicates", null, DownstreamReader::window);
        Reach reach = Reach.read(section);
        OAuth2Settings oauth2 = section.has("oauth2") ? OAuth2Settings.read(section.section("oauth2")) : null;
        return section.checked(
                () -> new DownstreamSettings(
                        url, connectTimeout, timeout, maxConcurrent, headers, key, deduplicates, reach, oauth2),
                () -> DownstreamSettings.at(NOWHERE));
    }

    /// For ever is longer than anybody asks again.
    private static Duration window(String text) {
        return text.equals(DurationText.FOREVER) ? DurationText.LONGEST : DurationText.parse(text);
    }

    static List<HeaderSetting> headers(Section section) {
        List<HeaderSetting> headers = new ArrayList<>();
        for (String name : section.names()) {
            SecretText value = section.secret(name);
            if (value != null) {
                section.part(name, () -> headers.add(new HeaderSetting(name, value)), () -> false);
            }
        }
        return headers;
    }

    private static DownstreamKeySettings key(Section section) {
        DownstreamKeySettings byDefault = DownstreamKeySettings.defaults();
        var value = section.choice("value", byDefault.value());
        String header = section.text("header", byDefault.header());
        var form = section.choice("form", byDefault.form());
        return section.checked(
                () -> new DownstreamKeySettings(value, header, form),
                () -> new DownstreamKeySettings(value, byDefault.header(), form));
    }
}

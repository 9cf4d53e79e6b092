package dev.latchkey.config;

import dev.latchkey.protocol.KeyTemplate;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns one item of `routes` into its record. For one thread.
final class RouteReader {

    private final Section section;
    private final Duration settleDelay;
    private final int number;

    RouteReader(Section section, Duration settleDelay, int number) {
        this.section = section;
        this.settleDelay = settleDelay;
        this.number = number;
    }

    RouteSettings read() {
        String name = section.required(
                "name", "route-" + number, text -> text, "write what people and metrics call this route");
        String prefix = section.required(
                "prefix", "/route-" + number, text -> text, "write the path that it answers, as in /payments");
        KeyRule key = section.read("key", new KeyRule.Required(), RouteReader::keyRule);
        DownstreamSettings downstream = DownstreamReader.read(section.section("downstream"));
        InDoubt inDoubt = section.choice("in-doubt", InDoubt.HOLD);
        FingerprintSettings fingerprint = fingerprint(section.section("fingerprint"));
        OutcomeSettings outcomes = outcomes(section.section("outcomes"));
        Corrections corrections = section.choice("corrections", corrections(downstream));
        List<String> replayHeaders = section.texts("replay-headers");
        LookupSettings lookup =
                section.has("lookup") ? LookupReader.read(section.section("lookup"), settleDelay) : null;
        Retention retention = retention(section.section("retention"));
        return section.checked(
                () -> new RouteSettings(
                        name,
                        prefix,
                        key,
                        downstream,
                        inDoubt,
                        fingerprint,
                        outcomes,
                        corrections,
                        replayHeaders,
                        lookup,
                        retention),
                () -> RouteSettings.to(
                        DownstreamReader.NOWHERE,
                        Spelling.name(name) == null ? name : "route-" + number,
                        Prefix.check(prefix) == null ? prefix : "/route-" + number));
    }

    private static KeyRule keyRule(String text) {
        return switch (text) {
            case "required" -> new KeyRule.Required();
            case "optional" -> new KeyRule.Optional();
            default -> new KeyRule.Derived(template(text));
        };
    }

    private static KeyTemplate template(String text) {
        try {
            return KeyTemplate.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Quoted.of(text)
                    + " is neither required nor optional, nor a template like \"order-shipped:{/order_id}:{/run_date}\": "
                    + e.getMessage(), e);
        }
    }

    private static Corrections corrections(DownstreamSettings downstream) {
        return downstream.key().value() == DownstreamKeySettings.Value.AS_SENT ? Corrections.REFUSE : Corrections.ALLOW;
    }

    private static FingerprintSettings fingerprint(Section section) {
        List<String> ignore = section.texts("ignore");
        List<String> headers = section.texts("headers");
        return section.checked(() -> new FingerprintSettings(ignore, headers), FingerprintSettings::defaults);
    }

    private static OutcomeSettings outcomes(Section section) {
        Set<Integer> released = statuses(section, "released");
        Set<Integer> recorded = statuses(section, "recorded");
        Set<Integer> inDoubt = statuses(section, "in-doubt");
        return section.checked(() -> new OutcomeSettings(released, recorded, inDoubt), OutcomeSettings::defaults);
    }

    private static Set<Integer> statuses(Section section, String name) {
        return new HashSet<>(section.list(name, Values::whole));
    }

    private static Retention retention(Section section) {
        Retention byDefault = Retention.defaults();
        Duration response = section.<@Nullable Duration>read(
                "response", byDefault.response(), Values::durationOrForever);
        Duration entry = section.<@Nullable Duration>read("entry", byDefault.entry(), Values::durationOrForever);
        Duration rejection = section.<@Nullable Duration>read(
                "rejection", byDefault.rejection(), Values::durationOrForever);
        return section.checked(() -> new Retention(response, entry, rejection), Retention::defaults);
    }
}

package dev.latchkey.telemetry;

import java.net.URI;
import java.util.Map;
import java.util.function.Supplier;

/// Where spans go, and what they say of us.
///
/// @param traces the URL that takes them by OTLP over HTTP
/// @param headers sent with them; read anew each time, for they may hold a credential
/// @param share of the traces that begin here, from 0 to 1; a caller's decision is kept
/// @param version of this program
/// @param downstreams by the route's name
public record Collector(
        URI traces, Supplier<Map<String, String>> headers, double share, String version,
        Map<String, URI> downstreams) {}

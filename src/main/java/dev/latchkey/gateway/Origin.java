package dev.latchkey.gateway;

/// How a call reached the gateway: what `Via`, `Forwarded` and `X-Forwarded-*` tell the downstream.
///
/// @param scheme `http` or `https`
/// @param host the `Host` field as sent; empty where there was none
/// @param remoteAddress the peer's address as text, IPv6 without brackets
/// @param protocol the version received, without the name: `1.1` or `1.0` (RFC 9110 §7.6.3)
public record Origin(String scheme, String host, String remoteAddress, String protocol) {}

package dev.latchkey.e2e;

import java.util.UUID;

/// Marks in everything that must never be logged; one scan at the end looks for them in every log.
final class Canary {

    /// What all of them begin with.
    static final String MARK = "canary";

    static final String CREDENTIAL = MARK + "-credential";

    private Canary() {}

    /// A new key.
    static String key() {
        return MARK + "-key-" + UUID.randomUUID();
    }

    /// A small JSON body.
    static String body() {
        return body(UUID.randomUUID().toString());
    }

    static String body(String text) {
        return "{\"note\":\"" + MARK + "-body\",\"text\":\"" + text + "\"}";
    }
}

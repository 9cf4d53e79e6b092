package dev.latchkey.config;

/// `routes[].corrections`: whether a changed request may follow a recorded rejection under the same key.
public enum Corrections {
    ALLOW, REFUSE
}

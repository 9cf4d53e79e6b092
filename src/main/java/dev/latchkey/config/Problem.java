package dev.latchkey.config;

/// Something wrong in a settings file.
///
/// @param file as it was named
/// @param line the first is 1; 0 where there is no line to point at
/// @param name the setting in full, as in `routes[0].downstream.timeout`; empty for the file as a whole
/// @param text what is wrong and what is allowed; holds no secret
public record Problem(String file, int line, String name, String text) {

    /// As one line for people and editors: `latchkey.yaml:12: routes[0].downstream.timeout: …`.
    @Override
    public String toString() {
        return file + ":" + (line > 0 ? line + ":" : "") + " " + (name.isEmpty() ? "" : name + ": ") + text;
    }
}

package dev.latchkey.config;

/// A field that a route puts on every forward.
///
/// @param name not one that belongs to the connection
/// @param value read afresh for each forward, so that a rotated credential is used at once
public record HeaderSetting(String name, SecretText value) {

    public HeaderSetting {
        new Checks()
                .add("", Spelling.ownFieldName(name))
                .that(
                        Spelling.isFieldValue(value.get()),
                        "",
                        "the value cannot stand in a header field; write printable characters on one line, without a"
                                + " space at either end")
                .done();
        value = value.onlyIf(Spelling::isFieldValue);
    }
}

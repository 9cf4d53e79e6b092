package dev.latchkey.config;

/// One thing wrong with a record of settings.
///
/// @param name the setting at fault as the file spells it, relative to the record; empty for the record as a whole
/// @param text what is wrong and what is allowed; holds no secret
record Fault(String name, String text) {}

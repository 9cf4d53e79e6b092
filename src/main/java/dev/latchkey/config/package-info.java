/// Settings: immutable records checked in their constructors, and a loader that reports every problem at once, with its
/// place. Names, defaults and meanings are those of the settings reference.
@NullMarked
package dev.latchkey.config;

import org.jspecify.annotations.NullMarked;

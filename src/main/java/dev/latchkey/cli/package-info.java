/// The commands: what can be typed, what is said on a terminal, signals, exit status, and how logs are written. What the
/// commands start comes in through [Program].
@NullMarked
package dev.latchkey.cli;

import org.jspecify.annotations.NullMarked;

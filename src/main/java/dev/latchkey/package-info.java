/// The program: its commands and its wiring.
@NullMarked
package dev.latchkey;

import org.jspecify.annotations.NullMarked;

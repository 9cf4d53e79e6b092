/// The pure heart: what a key, a fingerprint and an entry are, and what is to be done at each turn. Decides everything
/// and does nothing: no I/O, no clock, no randomness. Sees only the JDK and `dev.latchkey.http`.
@NullMarked
package dev.latchkey.protocol;

import org.jspecify.annotations.NullMarked;

/// What tests of several packages share: the raw-socket downstream and what counts its effects.
@NullMarked
package dev.latchkey.testing;

import org.jspecify.annotations.NullMarked;

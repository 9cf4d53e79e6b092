/// The strict client: sends a forward at most once, and says which failures prove that nothing was sent.
@NullMarked
package dev.latchkey.downstream;

import org.jspecify.annotations.NullMarked;

/// The protocol explored exhaustively: every interleaving of a few calls on one key, with crashes, stalls, lost commits and
/// people in between, up to stated bounds. What is decided and what each write does is the production code of `protocol`;
/// what stands here is the world around it.
@NullMarked
package dev.latchkey.model;

import org.jspecify.annotations.NullMarked;

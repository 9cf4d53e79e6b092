/// Tortures a running gateway from outside, by the public contract alone: a load with repeats, races and faults, a witness
/// of every answer, and an audit of the effects. Knows nothing of how a gateway is made.
@NullMarked
package dev.latchkey.torture;

import org.jspecify.annotations.NullMarked;

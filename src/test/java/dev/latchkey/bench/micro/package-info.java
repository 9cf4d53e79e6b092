/// Micro-benchmarks, by JMH: what a call costs in our own code alone.
@NullMarked
package dev.latchkey.bench.micro;

import org.jspecify.annotations.NullMarked;

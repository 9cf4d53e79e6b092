/// The benchmark, `mvn -Pbench verify`: how fast the gateway is beside what it is compared with, on this machine.
@NullMarked
package dev.latchkey.bench;

import org.jspecify.annotations.NullMarked;

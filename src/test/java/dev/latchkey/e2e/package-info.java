/// The contract held from outside: the packaged program, a real PostgreSQL and a downstream that counts.
@NullMarked
package dev.latchkey.e2e;

import org.jspecify.annotations.NullMarked;

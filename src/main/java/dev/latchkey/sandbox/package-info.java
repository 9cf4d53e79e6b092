/// The sandbox downstream of the quick start: a little payment and notification service that counts what it did and
/// makes trouble when asked.
@NullMarked
package dev.latchkey.sandbox;

import org.jspecify.annotations.NullMarked;

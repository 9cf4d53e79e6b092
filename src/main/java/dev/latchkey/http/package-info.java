/// HTTP messages as plain values. They know no server and no client; everything else may use them.
@NullMarked
package dev.latchkey.http;

import org.jspecify.annotations.NullMarked;

/// TLS of either side: what a connection shows and trusts, made anew when its certificates are replaced.
@NullMarked
package dev.latchkey.tls;

import org.jspecify.annotations.NullMarked;

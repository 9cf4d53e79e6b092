/// Callers whose name an issuer vouches for by a JSON Web Token (RFC 7519): the tokens' checks, and the issuer's keys. The
/// only package that knows the library for them.
@NullMarked
package dev.latchkey.issuer;

import org.jspecify.annotations.NullMarked;

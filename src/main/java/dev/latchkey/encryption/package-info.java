/// The keys of an encrypted ledger, and what is made with them.
@NullMarked
package dev.latchkey.encryption;

import org.jspecify.annotations.NullMarked;

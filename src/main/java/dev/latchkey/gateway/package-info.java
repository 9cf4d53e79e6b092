/// The way of a call: claim, forward, record, replay, wait; and the upkeep beside it. Asks `protocol` at each turn, and
/// reaches ledger and downstream through the interfaces of this package.
@NullMarked
package dev.latchkey.gateway;

import org.jspecify.annotations.NullMarked;

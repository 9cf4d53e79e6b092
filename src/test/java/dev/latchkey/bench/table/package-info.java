/// The ledger's tables under measurement: their size, a ledger that holds millions, and the purge.
@NullMarked
package dev.latchkey.bench.table;

import org.jspecify.annotations.NullMarked;

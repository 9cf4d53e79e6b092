/// The ledger on PostgreSQL: its SQL in named text blocks, its schema, and the embedded server for a machine without one.
/// The only package that sees JDBC.
@NullMarked
package dev.latchkey.postgres;

import org.jspecify.annotations.NullMarked;

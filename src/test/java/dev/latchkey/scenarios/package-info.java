/// What the pipelines that call Latchkey live through: each scenario as the reader of `pipelines.md` meets it, with a real
/// PostgreSQL as the warehouse, the packaged gateway, the sandbox, and real kills.
@NullMarked
package dev.latchkey.scenarios;

import org.jspecify.annotations.NullMarked;

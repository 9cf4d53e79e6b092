/// Both ports: calls, answers, problem pages, entries, the public contract; health, metrics and operators. The only
/// package, with the sandbox, that knows Javalin and Jetty.
@NullMarked
package dev.latchkey.server;

import org.jspecify.annotations.NullMarked;

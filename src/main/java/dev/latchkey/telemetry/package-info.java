/// What operators see: every metric and every log event has its name here.
@NullMarked
package dev.latchkey.telemetry;

import org.jspecify.annotations.NullMarked;

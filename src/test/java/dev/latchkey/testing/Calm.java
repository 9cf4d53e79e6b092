package dev.latchkey.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// On a suite that measures times and mostly waits: it runs when the busy ones are over, beside two others of its kind.
@Tag("calm")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Calm {}

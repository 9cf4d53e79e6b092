package dev.latchkey.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// On a suite that measures times and works hard: it runs when no other does.
@Tag("alone")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Alone {}

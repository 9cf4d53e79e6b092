package dev.latchkey.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// On a suite that judges what the others saw: it runs when all of them are over.
@Tag("last")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Last {}

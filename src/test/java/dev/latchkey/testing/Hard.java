package dev.latchkey.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/// On a suite that computes for long in its own process, on every processor: it runs in the one whose code Java compiles well,
/// when no other does.
@Tag("hard")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Hard {}

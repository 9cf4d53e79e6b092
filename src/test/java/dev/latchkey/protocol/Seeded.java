package dev.latchkey.protocol;

import java.util.Random;

/// Runs a property over many random inputs. Each has its own seed, and a failure says how to replay it alone.
final class Seeded {

    private static final String SEED = "latchkey.seed";

    private Seeded() {}

    /// Something that must hold for every source of random choices.
    @FunctionalInterface
    interface Property {
        void holdsFor(Random random);
    }

    static void forAll(int runs, Property property) {
        Long only = Long.getLong(SEED);
        long first = only == null ? new Random().nextLong() : only;
        for (long seed = first; seed < first + (only == null ? runs : 1); seed++) {
            try {
                property.holdsFor(new Random(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("Replay by -D" + SEED + "=" + seed + ": " + e, e);
            }
        }
    }
}

package dev.latchkey.testing;

import java.util.Optional;
import java.util.Random;

/// Decides what becomes of the connections of a [CuttingProxy]. Safe for any number of threads.
@FunctionalInterface
public interface Fault {

    /// Looks at what came; called once for a new connection, with nothing.
    ///
    /// @param link the connection, for faults that go by what they saw of it before
    /// @param came the bytes that came at once
    /// @return empty: the bytes pass
    Optional<Strike> look(Object link, Way way, byte[] came);

    /// The connection dies.
    ///
    /// @param passing how many of the bytes that came still pass
    record Strike(int passing, Ending ending) {}

    /// Resets, closes or silences a connection at moments that the seed chooses, before, within or after what came.
    ///
    /// @param chance of each arrival of bytes, from 0 to 1
    static Fault atRandom(long seed, double chance, Ending... endings) {
        Random random = new Random(seed);
        return (_, _, came) -> {
            synchronized (random) {
                if (random.nextDouble() >= chance) {
                    return Optional.empty();
                }
                return Optional.of(new Strike(
                        random.nextInt(came.length + 1), endings[random.nextInt(endings.length)]));
            }
        };
    }
}

package dev.latchkey.bench;

import java.util.List;

/// Who comes first: what the machine does beside a round, and what one side leaves behind, befalls each of them in turn.
public final class Turns {

    private Turns() {}

    /// In this order, every other round the other way about.
    public static <T> List<T> of(int round, List<T> sides) {
        return round % 2 == 0 ? sides : sides.reversed();
    }
}

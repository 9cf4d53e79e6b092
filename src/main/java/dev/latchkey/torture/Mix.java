package dev.latchkey.torture;

import java.util.List;

/// What a load is made of.
///
/// @param callers keys under way at once
/// @param racing of a hundred keys, so many are called several times at once
/// @param repeating of a hundred keys, so many are called again once they are settled
/// @param changed of a hundred repeats, so many carry another request
/// @param faulty of a hundred calls, so many ask the downstream for one of the faults
/// @param faults values of `Sandbox-Fault`
public record Mix(int callers, int racing, int repeating, int changed, int faulty, List<String> faults) {

    public Mix {
        faults = List.copyOf(faults);
    }

    /// Races and repeats, and a downstream that does what it is asked.
    public static Mix calm() {
        return new Mix(32, 15, 15, 20, 0, List.of());
    }

    /// The same, with so many faults of the downstream in a hundred calls.
    public Mix withFaults(int percent, String... which) {
        return new Mix(callers, racing, repeating, changed, percent, List.of(which));
    }

    /// The same, with so many keys at once.
    public Mix withCallers(int many) {
        return new Mix(many, racing, repeating, changed, faulty, faults);
    }
}

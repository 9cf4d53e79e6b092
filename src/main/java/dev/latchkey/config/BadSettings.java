package dev.latchkey.config;

import java.util.List;
import java.util.stream.Collectors;

/// Thrown by the constructor of a record of settings, naming everything that is wrong with it.
final class BadSettings extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    BadSettings(List<Fault> faults) {
        super(faults.stream().map(fault -> fault.name() + ": " + fault.text()).collect(Collectors.joining("; ")));
        this.faults = List.copyOf(faults);
    }

    List<Fault> faults() {
        return faults;
    }
}

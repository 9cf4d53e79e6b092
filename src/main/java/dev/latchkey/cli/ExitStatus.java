package dev.latchkey.cli;

/// What the process says to whoever started it.
final class ExitStatus {

    static final int CLEAN = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE_OR_SETTINGS = 2;

    private ExitStatus() {}
}

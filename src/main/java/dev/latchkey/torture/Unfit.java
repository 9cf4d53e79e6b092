package dev.latchkey.torture;

/// These settings, or this choice of them, cannot be tortured. Its message is a sentence for people that says what to do.
public final class Unfit extends Exception {

    private static final long serialVersionUID = 1L;

    Unfit(String sentence) {
        super(sentence);
    }
}

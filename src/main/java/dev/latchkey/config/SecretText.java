package dev.latchkey.config;

import java.util.List;
import java.util.function.Predicate;

/// Text that may be secret and may change while the program runs, because it comes from files. Never shown by
/// `toString`. Safe for any number of threads.
public final class SecretText {

    private final List<Part> parts;
    private final Predicate<String> fit;
    private volatile String lastFit;

    private SecretText(List<Part> parts, Predicate<String> fit) {
        this.parts = List.copyOf(parts);
        this.fit = fit;
        this.lastFit = join();
    }

    /// Text that never changes.
    public static SecretText of(String text) {
        return of(List.of(new Fixed(text)));
    }

    static SecretText of(List<Part> parts) {
        return new SecretText(parts, text -> true);
    }

    /// What it is now.
    public String get() {
        String now = join();
        if (fit.test(now)) {
            lastFit = now;
        }
        return lastFit;
    }

    /// The same text, which keeps its last value while a new one is unfit.
    SecretText onlyIf(Predicate<String> fitting) {
        return new SecretText(parts, fitting);
    }

    private String join() {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            text.append(
                    switch (part) {
                        case Fixed(String fixed) -> fixed;
                        case FromFile(SecretFile file) -> file.text();
                    });
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return "(hidden)";
    }

    sealed interface Part {}

    record Fixed(String text) implements Part {

        @Override
        public String toString() {
            return "(hidden)";
        }
    }

    record FromFile(SecretFile file) implements Part {}
}

package dev.latchkey.config;

import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// Guesses which name was meant.
final class Nearest {

    private Nearest() {}

    /// The candidate fewest changes away; null where none is near.
    static @Nullable String to(String name, Collection<String> candidates) {
        String plain = plain(name);
        return candidates.stream()
                .filter(candidate -> distance(plain, plain(candidate)) <= 1 + candidate.length() / 4)
                .min(Comparator.comparingInt(candidate -> distance(plain, plain(candidate))))
                .orElse(null);
    }

    private static String plain(String name) {
        return name.toLowerCase(java.util.Locale.ROOT).replaceAll("[_. -]", "");
    }

    /// Levenshtein's.
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j - 1], row[j]) + 1);
            }
        }
        return row[other.length()];
    }
}

package dev.latchkey.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Header field lines in their order, repeated fields kept apart. Immutable.
///
/// @param lines the lines
public record Headers(List<Header> lines) implements Iterable<Header> {

    private static final Headers EMPTY = new Headers(List.of());

    public Headers {
        lines = List.copyOf(lines);
    }

    public static Headers empty() {
        return EMPTY;
    }

    /// Makes headers from names and values in turn.
    ///
    /// @throws IllegalArgumentException for an odd number of strings
    public static Headers of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a name without a value");
        }
        List<Header> lines = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            lines.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new Headers(lines);
    }

    /// The value of the first line of that name.
    public Optional<String> first(String name) {
        for (Header line : lines) {
            if (line.is(name)) {
                return Optional.of(line.value());
            }
        }
        return Optional.empty();
    }

    /// The values of every line of that name, in order.
    public List<String> all(String name) {
        List<String> values = List.of();
        for (Header line : lines) {
            if (line.is(name)) {
                values = values.isEmpty() ? List.of(line.value()) : and(values, line.value());
            }
        }
        return values;
    }

    private static List<String> and(List<String> values, String more) {
        List<String> all = new ArrayList<>(values);
        all.add(more);
        return List.copyOf(all);
    }

    public boolean has(String name) {
        for (Header line : lines) {
            if (line.is(name)) {
                return true;
            }
        }
        return false;
    }

    /// The names, in lower case, of the fields that `Connection` says are for one hop only (RFC 9110 §7.6.1).
    public Set<String> namedByConnection() {
        List<String> values = all("Connection");
        return values.isEmpty()
                ? Set.of()
                : values.stream()
                        .flatMap(value -> Arrays.stream(value.split(",", -1)))
                        .map(name -> name.strip().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /// These lines and one more at the end.
    public Headers plus(String name, String value) {
        return new Headers(Stream.concat(lines.stream(), Stream.of(new Header(name, value))).toList());
    }

    /// These lines, with every line of that name replaced by one at the end.
    public Headers with(String name, String value) {
        return without(name).plus(name, value);
    }

    /// These lines without those of the names given.
    public Headers without(String... names) {
        return only(line -> {
            for (String name : names) {
                if (line.is(name)) {
                    return false;
                }
            }
            return true;
        });
    }

    /// The lines that the predicate accepts.
    public Headers only(Predicate<Header> keep) {
        List<Header> kept = new ArrayList<>(lines.size());
        for (Header line : lines) {
            if (keep.test(line)) {
                kept.add(line);
            }
        }
        return kept.size() == lines.size() ? this : new Headers(kept);
    }

    @Override
    public Iterator<Header> iterator() {
        return lines.iterator();
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Door;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the route of a path: whole segments, the longest prefix wins; the path as it was sent. Immutable.
final class Doors {

    private final List<Door> longestFirst;

    Doors(List<Door> doors) {
        longestFirst = doors.stream()
                .sorted(Comparator.comparingInt((Door door) -> door.prefix().length()).reversed())
                .toList();
    }

    /// A route and what is below its prefix: empty, or begins with a slash.
    record Found(Door door, String below) {}

    Optional<Found> find(String path) {
        for (Door door : longestFirst) {
            String prefix = door.prefix().endsWith("/")
                    ? door.prefix().substring(0, door.prefix().length() - 1)
                    : door.prefix();
            if (path.equals(prefix) || path.startsWith(prefix + "/")) {
                return Optional.of(new Found(door, path.substring(prefix.length())));
            }
        }
        return Optional.empty();
    }

    /// The route of that name.
    Optional<Door> named(String name) {
        return longestFirst.stream().filter(door -> door.name().equals(name)).findFirst();
    }
}

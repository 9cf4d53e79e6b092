package dev.latchkey.e2e;

import java.util.List;

/// The figures of one replica at one moment.
///
/// @param lines as Prometheus reads them
record Metrics(List<String> lines) {

    static Metrics of(Replica replica) {
        return new Metrics(replica.management().get("/metrics").asString().lines().toList());
    }

    /// The sum over all labels of the figures whose name begins so.
    double sum(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}

package dev.latchkey.bench;

import java.util.List;

/// Measures some of the figures. Parts run one after the other, each on the machine alone.
public interface Part {

    /// One word, for progress, for the report and for `-Dbench.parts`.
    String name();

    /// Measures. What it starts it ends, whatever happens.
    List<Figure> run(Bench bench) throws Exception;
}

package dev.latchkey.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/// Where commands read and write.
///
/// @param in of which nothing is read before a command needs it
record Terminal(InputStream in, PrintWriter out, PrintWriter err) {

    static Terminal ofThisProcess() {
        return new Terminal(
                System.in, new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    }
}

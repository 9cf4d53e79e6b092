package dev.latchkey.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// A gateway under test: the packaged program, started as its users start it.
///
/// @param program its process
/// @param port where callers call
record Latchkey(Jvm program, int port) implements AutoCloseable {

    private static final Pattern PORT =
            Pattern.compile("(?<![\\w-])port\"?\\s*[:=]\\s*\"?(\\d+)[^\\n]*management_port");

    /// Starts one and waits until it is ready.
    ///
    /// @param name of its files
    /// @param ledger more of the section `ledger`
    /// @param more further sections
    static Latchkey start(Bench bench, String name, String database, int downstream, String ledger, String more)
            throws IOException {
        Path settings = Files.writeString(bench.folder().resolve(name + ".yaml"), """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { url: "%s", connections: 32%s }
                routes:
                  - { name: payments, prefix: /payments, key: optional, downstream: { url: "http://127.0.0.1:%d/pay" } }
                %s
                """.formatted(bench.server().get().url(database), ledger, downstream, more));
        Jvm program = Jvm.jar(bench.folder(), name, "serve", "--config", settings.toString());
        try {
            return new Latchkey(program, Integer.parseInt(program.await(PORT)));
        } catch (RuntimeException e) {
            program.close();
            throw e;
        }
    }

    @Override
    public void close() {
        program.close();
    }
}

package dev.latchkey.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/// A command line as typed, and what came of it. The signal comes at once.
record Typed(int status, String out, String err) {

    static Typed run(Program program, Map<String, String> environment, String... args) {
        return run(program, environment, InputStream.nullInputStream(), args);
    }

    /// With this on standard input.
    static Typed fed(byte[] in, String... args) {
        return run(new FakeProgram(), Map.of(), new ByteArrayInputStream(in), args);
    }

    static Typed run(Program program, Map<String, String> environment, InputStream in, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(in, new PrintWriter(out), new PrintWriter(err));
        Lifetime lifetime = new Lifetime(Runnable::run, status -> {});
        int status = new Cli(program, environment::get, lifetime, terminal).run(args);
        return new Typed(status, out.toString(), err.toString());
    }

    static Typed run(String... args) {
        return run(new FakeProgram(), Map.of(), args);
    }
}

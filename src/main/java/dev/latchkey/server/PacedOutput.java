package dev.latchkey.server;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongSupplier;

/// What a caller is sent, while [SlowCallers] watches that it is taken. Used by one thread.
final class PacedOutput extends OutputStream {

    private final OutputStream out;
    private final Watch watch;
    private final LongSupplier held;
    private long spent;
    private long moved;

    /// @param held bytes that the gateway holds until they are taken
    PacedOutput(OutputStream out, Watch watch, LongSupplier held) {
        this.out = out;
        this.watch = watch;
        this.held = held;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        moved += length;
        watched(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        watched(out::flush);
    }

    private interface Write {
        void run() throws IOException;
    }

    private void watched(Write write) throws IOException {
        long began = watch.clocks().nanos();
        watch.write(new Watch.Step(began, began + watch.pace().nanosFor(moved) - spent, held));
        try {
            write.run();
        } finally {
            watch.write(null);
            spent += watch.clocks().nanos() - began;
        }
    }
}

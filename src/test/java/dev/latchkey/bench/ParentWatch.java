package dev.latchkey.bench;

import java.io.IOException;

/// For the harness's own programs: they end when whoever started them has ended, however that went.
public final class ParentWatch {

    private ParentWatch() {}

    /// Ends this program when its standard input ends.
    public static void endWithInput() {
        Thread.ofPlatform().daemon().name("parent").start(() -> {
            try {
                System.in.transferTo(java.io.OutputStream.nullOutputStream());
            } catch (IOException _) {
                // ended too
            }
            System.exit(0);
        });
    }
}

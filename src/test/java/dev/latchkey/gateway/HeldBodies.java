package dev.latchkey.gateway;

import java.time.Duration;

/// The forward's side of a body on its way, for tests of who writes it.
public final class HeldBodies {

    private HeldBodies() {}

    /// A body of which this much has come.
    public static HeldBody begun(long length, byte[] first) {
        HeldBody body = new HeldBody(length, Patience.of(new SystemClocks(), Duration.ofSeconds(10)));
        body.offer(first);
        return body;
    }

    /// More of it has come.
    public static void offer(HeldBody body, byte[] next) {
        body.offer(next);
    }

    /// It is committed: its end may go.
    public static void release(HeldBody body) {
        body.release();
    }

    /// It is not: nobody may take it for the whole.
    public static void cut(HeldBody body) {
        body.cut();
    }
}

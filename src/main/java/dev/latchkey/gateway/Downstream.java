package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import java.time.Duration;

/// The service behind a route. Safe for any number of threads; blocks its caller.
public interface Downstream extends AutoCloseable {

    /// Sends the request at most once: no retry, no redirect, no answer to a challenge, no second connection after a byte
    /// may have left. Does not throw for anything that the network or the downstream does.
    ///
    /// @param window asked after connect and handshake, before the first byte and before each further write; once it is
    ///     shut nothing more is written: [Outcome.NotSent] before the first byte, else in doubt
    /// @param patience how long to wait for the complete response, from now; then the connection is reset (G22)
    /// @param overflow takes the body once it is larger than the cap
    Outcome send(Forward forward, SendWindow window, Duration patience, Overflow overflow);

    @Override
    void close();

    /// Where a response body goes that is too large to keep.
    interface Overflow {

        /// The body is over the cap; what was read of it so far. Called once, before [#more].
        ///
        /// @param length the whole length, where the response says it; else negative
        void begin(int status, Headers headers, Body soFar, long length);

        /// The next bytes; the array is the callee's from now on. Never throws; blocks only for as long as a slow caller
        /// may take.
        void more(byte[] bytes);
    }

    /// Where one goes that nobody wants: an outcome without its body means nothing to whoever reads.
    final class Unread implements Overflow {
        @Override
        public void begin(int status, Headers headers, Body soFar, long length) {
            // Its outcome has no body, so it means nothing.
        }

        @Override
        public void more(byte[] bytes) {
            // Not wanted.
        }
    }
}

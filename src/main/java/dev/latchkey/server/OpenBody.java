package dev.latchkey.server;

import dev.latchkey.gateway.HeldBody;
import java.io.IOException;
import java.io.OutputStream;

/// A body that is still coming while it is sent. Written once, by one thread.
interface OpenBody {

    /// The whole length in bytes; negative: not known.
    long length();

    /// Bytes that are held until the caller takes them.
    default long held() {
        return 0;
    }

    /// Writes all of it.
    ///
    /// @throws IOException when the caller is gone, or the body must be cut: close the connection without an end
    void writeTo(OutputStream out) throws IOException;

    /// A downstream's response that is too large to keep.
    static OpenBody of(HeldBody held) {
        return new OpenBody() {
            @Override
            public long length() {
                return held.length();
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                held.writeTo(out);
            }
        };
    }
}

package dev.latchkey.postgres;

import java.sql.SQLException;

/// A server answers, and cannot be used as it is now; that may change without anybody's doing. The message says why.
final class NotReady extends SQLException {

    private static final long serialVersionUID = 1L;

    NotReady(String message) {
        super(message, "57P03");
    }
}

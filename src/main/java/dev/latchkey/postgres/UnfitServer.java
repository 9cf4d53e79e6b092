package dev.latchkey.postgres;

import java.sql.SQLException;

/// The server answers, and must not be used. The message says why and what to do.
final class UnfitServer extends SQLException {

    private static final long serialVersionUID = 1L;

    UnfitServer(String message) {
        super(message, "LK000");
    }
}

package dev.latchkey.postgres;

import java.sql.SQLException;

/// The server answers, and must not be used. The message says why and what to do.
final class UnfitServer extends SQLException {

    private static final long serialVersionUID = 1L;
    private static final String STANDBY = "LK001";

    UnfitServer(String message) {
        this(message, "LK000");
    }

    private UnfitServer(String message, String state) {
        super(message, state);
    }

    /// It follows another server.
    static UnfitServer standby() {
        return new UnfitServer("ledger.url leads to a standby: name the primary, or all hosts.", STANDBY);
    }

    static boolean isStandby(SQLException failure) {
        return STANDBY.equals(failure.getSQLState());
    }
}

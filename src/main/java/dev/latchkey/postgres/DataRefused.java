package dev.latchkey.postgres;

import java.sql.SQLException;

/// The server refused what it was given, and nothing was committed.
final class DataRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DataRefused(SQLException cause) {
        super("the ledger refuses the data (SQLSTATE " + cause.getSQLState() + ")", cause);
    }
}

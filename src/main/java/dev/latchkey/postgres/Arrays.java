package dev.latchkey.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Binds one property of many values as one array. The driver knows bytes only in an array of their own type, which a
/// general array of Jdbi's is not.
///
/// @param query to bind to
/// @param connection that it runs on
record Arrays(Query query, Connection connection) {

    <T> void ids(String name, List<T> all, Function<T, UUID> value) {
        bind(name, "uuid", all.stream().map(value).toArray(UUID[]::new));
    }

    <T> void texts(String name, List<T> all, Function<T, String> value) {
        bind(name, "text", all.stream().map(value).toArray(String[]::new));
    }

    <T> void longs(String name, List<T> all, Function<T, @Nullable Long> value) {
        bind(name, "int8", all.stream().map(value).toArray(Long[]::new));
    }

    <T> void ints(String name, List<T> all, Function<T, Integer> value) {
        bind(name, "int4", all.stream().map(value).toArray(Integer[]::new));
    }

    <T> void flags(String name, List<T> all, Function<T, Boolean> value) {
        bind(name, "bool", all.stream().map(value).toArray(Boolean[]::new));
    }

    <T> void bytes(String name, List<T> all, Function<T, byte @Nullable []> value) {
        bind(name, "bytea", all.stream().map(value).toArray(byte[][]::new));
    }

    private void bind(String name, String type, Object[] values) {
        try {
            query.bindBySqlType(name, connection.createArrayOf(type, values), Types.ARRAY);
        } catch (SQLException e) {
            throw new IllegalStateException("an array of " + type + " cannot be made", e);
        }
    }
}

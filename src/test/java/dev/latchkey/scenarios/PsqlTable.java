package dev.latchkey.scenarios;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A result as `psql` prints it.
final class PsqlTable {

    private static final Set<Integer> RIGHT = Set.of(
            Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.REAL, Types.DOUBLE);

    private PsqlTable() {}

    /// As `psql -At`.
    static String plain(ResultSet result) throws SQLException {
        return rows(result).stream().map(row -> String.join("|", row) + "\n").collect(Collectors.joining());
    }

    /// In columns, with the names above and the count of rows below.
    static String aligned(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        List<List<String>> rows = rows(result);
        List<String> heads = new ArrayList<>();
        List<Integer> widths = new ArrayList<>();
        List<Boolean> right = new ArrayList<>();
        for (int i = 0; i < columns.getColumnCount(); i++) {
            int at = i;
            heads.add(columns.getColumnLabel(i + 1));
            widths.add(Math.max(heads.get(i).length(),
                    rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0)));
            right.add(RIGHT.contains(columns.getColumnType(i + 1)));
        }
        StringBuilder out = new StringBuilder();
        out.append(line(heads, i -> {
            int spare = widths.get(i) - heads.get(i).length();
            return " ".repeat(spare / 2) + heads.get(i) + " ".repeat(spare - spare / 2);
        }, " | "));
        out.append(line(heads, i -> "-".repeat(widths.get(i)), "-+-").replace(' ', '-'));
        for (List<String> row : rows) {
            out.append(line(row, i -> {
                String spare = " ".repeat(widths.get(i) - row.get(i).length());
                return right.get(i) ? spare + row.get(i) : row.get(i) + spare;
            }, " | "));
        }
        return out.append(rows.size() == 1 ? "(1 row)\n\n" : "(" + rows.size() + " rows)\n\n").toString();
    }

    private static String line(List<String> cells, java.util.function.IntFunction<String> cell, String between) {
        return IntStream.range(0, cells.size()).mapToObj(cell).collect(Collectors.joining(between, " ", " \n"));
    }

    private static List<List<String>> rows(ResultSet result) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.add(text(result.getString(i)));
            }
            rows.add(row);
        }
        return rows;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}

package dev.latchkey.cli;

import java.util.ArrayList;
import java.util.List;

/// Lines of columns for people. Not safe for several threads.
final class Table {

    private static final int GAP = 2;

    private final List<List<String>> rows = new ArrayList<>();

    Table(String... heads) {
        rows.add(List.of(heads));
    }

    /// Adds a line of as many cells as there are heads.
    void add(String... cells) {
        rows.add(List.of(cells).stream().map(Table::printable).toList());
    }

    /// What others wrote must not move the cursor.
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int width = rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
                line.append(row.get(i)).append(" ".repeat(width - row.get(i).length() + GAP));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }
}

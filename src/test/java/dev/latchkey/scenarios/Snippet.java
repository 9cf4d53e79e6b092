package dev.latchkey.scenarios;

/// One thing that a section asks its reader to do.
sealed interface Snippet {

    /// A file to write: a fenced block of any language whose first line is a comment that names it.
    record Save(String name, String text) implements Snippet {}

    /// A command for the shell, of a `console` block, and what it is said to print.
    record Command(String command, String output) implements Snippet {}

    /// A block for `psql -q "$WAREHOUSE"`, and what the `text` block below it says that it prints.
    record Sql(String text, String output) implements Snippet {}
}

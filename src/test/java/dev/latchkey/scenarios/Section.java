package dev.latchkey.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A `##` section of the page, read into its snippets in their order. Immutable.
///
/// @param title its heading, `1 Shipped notification`
/// @param snippets what its reader does
record Section(String title, List<Snippet> snippets) {

    private static final Pattern HEADING = Pattern.compile("(?m)^## (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
    private static final Pattern NAMED = Pattern.compile("\\A(?:#|//|--) (\\w[\\w.-]*\\.\\w+)\\n");
    private static final Pattern COMMAND = Pattern.compile("(?s)\\A(?:[^\\n]*\\\\\\n)*[^\\n]*");
    private static final Set<String> PRINTED = Set.of("console", "text");

    /// Every section of a page.
    ///
    /// @throws IllegalArgumentException for a block that nobody would run
    static List<Section> of(String page) {
        List<Section> sections = new ArrayList<>();
        Matcher heading = HEADING.matcher(page);
        int from = -1;
        String title = "";
        while (heading.find()) {
            add(sections, title, page, from, heading.start());
            title = heading.group(1);
            from = heading.end();
        }
        add(sections, title, page, from, page.length());
        return sections;
    }

    private static void add(List<Section> sections, String title, String page, int from, int to) {
        if (from >= 0) {
            sections.add(new Section(title, snippets(title, page.substring(from, to))));
        }
    }

    private static List<Snippet> snippets(String title, String text) {
        List<Snippet> snippets = new ArrayList<>();
        for (MatchResult block : FENCED.matcher(text).results().toList()) {
            String language = block.group(1);
            String content = block.group(2);
            Matcher named = NAMED.matcher(content);
            if (!PRINTED.contains(language) && named.find()) {
                snippets.add(new Snippet.Save(named.group(1), content));
            } else if (language.equals("console")) {
                snippets.addAll(commands(content));
            } else if (language.equals("sql")) {
                snippets.add(new Snippet.Sql(content, ""));
            } else if (language.equals("text") && !snippets.isEmpty()
                    && snippets.getLast() instanceof Snippet.Sql(String sql, String output) && output.isEmpty()) {
                snippets.set(snippets.size() - 1, new Snippet.Sql(sql, content.strip()));
            } else {
                throw new IllegalArgumentException("a block that is not run, in \"" + title + "\":\n" + content);
            }
        }
        return List.copyOf(snippets);
    }

    private static List<Snippet> commands(String console) {
        if (!console.startsWith("$ ")) {
            throw new IllegalArgumentException("a console block begins with \"$ \":\n" + console);
        }
        List<Snippet> commands = new ArrayList<>();
        for (String part : console.substring(2).split("(?m)^\\$ ", -1)) {
            Matcher command = COMMAND.matcher(part);
            if (command.find()) {
                commands.add(new Snippet.Command(command.group(), part.substring(command.end()).strip()));
            }
        }
        return commands;
    }
}

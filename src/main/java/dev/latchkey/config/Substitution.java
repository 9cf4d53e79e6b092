package dev.latchkey.config;

import dev.latchkey.config.SecretText.Fixed;
import dev.latchkey.config.SecretText.FromFile;
import dev.latchkey.config.SecretText.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Puts in what a text refers to: `${NAME}` and `${NAME:-default}` from the environment (the default also where the
/// variable is empty), `${file:PATH}` from a file. `$${` stands for `${` itself.
final class Substitution {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String ALLOWED = "write ${NAME}, ${NAME:-default} or ${file:PATH}; $${ stands for ${ itself";

    private final Function<String, @Nullable String> environment;
    private final Consumer<String> complain;
    private final List<String> putIn = new ArrayList<>();

    Substitution(Function<String, @Nullable String> environment, Consumer<String> complain) {
        this.environment = environment;
        this.complain = complain;
    }

    /// The text in parts; null where something was complained of.
    @Nullable
    List<Part> expand(String text) {
        List<Part> parts = new ArrayList<>();
        boolean fine = true;
        int at = 0;
        for (int open = text.indexOf("${"); open >= 0; open = text.indexOf("${", at)) {
            if (open > at && text.charAt(open - 1) == '$') {
                parts.add(new Fixed(text.substring(at, open - 1) + "${"));
                at = open + 2;
                continue;
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                complain.accept("a ${ without its }; " + ALLOWED);
                return null;
            }
            parts.add(new Fixed(text.substring(at, open)));
            Part part = resolve(text.substring(open + 2, close));
            fine &= part != null;
            if (part != null) {
                parts.add(part);
            }
            at = close + 1;
        }
        parts.add(new Fixed(text.substring(at)));
        return fine ? parts : null;
    }

    /// What came from the environment and from files so far: it may be secret.
    List<String> putIn() {
        return putIn;
    }

    private @Nullable Part resolve(String reference) {
        if (reference.startsWith("file:")) {
            return fromFile(reference.substring("file:".length()));
        }
        int dash = reference.indexOf(":-");
        String name = dash < 0 ? reference : reference.substring(0, dash);
        if (!NAME.matcher(name).matches()) {
            complain.accept(Quoted.of("${" + reference + "}") + " refers to nothing; " + ALLOWED);
            return null;
        }
        String value = environment.apply(name);
        if (value != null && !value.isEmpty()) {
            putIn.add(value);
        }
        if (dash >= 0) {
            return new Fixed(value == null || value.isEmpty() ? reference.substring(dash + 2) : value);
        }
        if (value == null) {
            complain.accept("the environment variable " + name + " is not set; set it, or write ${" + name
                    + ":-default}");
            return null;
        }
        return new Fixed(value);
    }

    private @Nullable Part fromFile(String path) {
        try {
            SecretFile file = SecretFile.at(path);
            putIn.add(file.text());
            return new FromFile(file);
        } catch (IllegalArgumentException e) {
            complain.accept(e.getMessage());
        }
        return null;
    }
}

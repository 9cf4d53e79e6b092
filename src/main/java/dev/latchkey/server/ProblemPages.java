package dev.latchkey.server;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import io.javalin.config.RoutesConfig;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The pages behind each problem's `type`: what happened, whether an effect may exist, what to do, and what to tell an
/// operator.
final class ProblemPages {

    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

    void addTo(Pages pages, RoutesConfig routes) {
        pages.get(routes, "/problems", (_, _) -> html("Problems", index()));
        pages.get(routes, "/problems/{name}", (_, context) -> {
            Problem problem = Problem.bySlug(context.pathParam("name"))
                    .orElseThrow(() -> new Refusing(
                            Problem.NO_SUCH_ROUTE, "There is no such problem. All are at /problems."));
            return html(problem.title(), page(problem));
        });
    }

    private static String index() {
        String items = Arrays.stream(Problem.values())
                .map(problem -> "<li><a href=\"/problems/%s\">%s</a> (%d): %s</li>".formatted(
                        problem.slug(), problem.slug(), problem.status(), escaped(problem.title())))
                .collect(Collectors.joining("\n"));
        return """
                <p>Every refusal of this gateway is one of these. What is not in this list was said by the service behind
                it.</p>
                <ul>
                %s
                </ul>
                """
                .formatted(items);
    }

    private static String page(Problem problem) {
        ProblemText text = ProblemText.of(problem);
        return """
                <p><code>%s</code>, status %s</p>
                <h2>What happened</h2>
                <p>%s</p>
                <h2>Can there be an effect?</h2>
                <p>%s</p>
                <h2>What to do</h2>
                <p>%s</p>
                <h2>What to tell the operator</h2>
                <p>%s</p>
                <p><a href="/problems">All problems</a></p>
                """.formatted(
                problem.slug(), problem == Problem.OUTCOME_UNKNOWN ? "409, 502 or 504" : problem.status(),
                escaped(text.happened()), escaped(text.effect()), escaped(text.todo()), escaped(text.operator()));
    }

    private static Reply html(String title, String content) {
        String page =
                """
                        <!doctype html>
                        <html lang="en">
                        <head>
                        <meta charset="utf-8">
                        <meta name="viewport" content="width=device-width, initial-scale=1">
                        <title>%1$s</title>
                        <style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }</style>
                        </head>
                        <body>
                        <h1>%1$s</h1>
                        %2$s</body>
                        </html>
                        """
                        .formatted(escaped(title), content);
        return Reply.of(
                200,
                Headers.of(
                        "Content-Type", "text/html; charset=utf-8", "Content-Security-Policy", POLICY,
                        "X-Content-Type-Options", "nosniff"),
                Body.ofUtf8(page));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

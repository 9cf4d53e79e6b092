package dev.latchkey.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import io.javalin.config.RoutesConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// The public contract: as it was written, as JSON, and to read and try in a browser. Everything comes from the class path,
/// nothing from elsewhere. Immutable once made.
final class ContractPages {

    private static final String CONTRACT = "/openapi/latchkey.yaml";
    private static final String WEBJAR = "/META-INF/maven/org.webjars/swagger-ui/pom.properties";

    /// Swagger UI writes styles into its elements and has its icons in them; scripts come from files only.
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
            + " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Latchkey: the public contract</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/docs/swagger-ui.css">
            </head>
            <body>
            <div id="contract"></div>
            <noscript>The contract itself: <a href="/openapi.yaml">/openapi.yaml</a></noscript>
            <script src="/docs/swagger-ui-bundle.js"></script>
            <script src="/docs/start.js"></script>
            </body>
            </html>
            """;
    private static final String START = """
            window.onload = () => SwaggerUIBundle({
              url: '/openapi.json', dom_id: '#contract', deepLinking: true, validatorUrl: null
            });
            """;

    private final Body yaml = resource(CONTRACT);
    private volatile @Nullable Body json;
    private final String files = "/META-INF/resources/webjars/swagger-ui/" + version() + "/";

    void addTo(Pages pages, RoutesConfig routes) {
        pages.get(routes, "/openapi.yaml", (_, _) -> file("application/yaml", yaml));
        pages.get(routes, "/openapi.json", (_, _) -> file("application/json", json()));
        pages.get(routes, "/docs", (_, _) -> Reply.of(
                200,
                Headers.of(
                        "Content-Type", "text/html; charset=utf-8", "Content-Security-Policy", POLICY,
                        "X-Content-Type-Options", "nosniff"),
                Body.ofUtf8(PAGE)));
        pages.get(routes, "/docs/start.js", (_, _) -> file("text/javascript; charset=utf-8", Body.ofUtf8(START)));
        pages.get(routes, "/docs/swagger-ui.css", (_, _) -> file(
                "text/css; charset=utf-8", resource(files + "swagger-ui.css")));
        pages.get(routes, "/docs/swagger-ui-bundle.js", (_, _) -> file(
                "text/javascript; charset=utf-8", resource(files + "swagger-ui-bundle.js")));
    }

    private static Reply file(String mediaType, Body content) {
        return Reply.of(200, Headers.of("Content-Type", mediaType, "X-Content-Type-Options", "nosniff"), content);
    }

    /// Made when it is first asked for: reading YAML would cost each start what few want. Twice by two at once does no harm.
    private Body json() {
        Body known = json;
        if (known == null) {
            known = asJson(yaml);
            json = known;
        }
        return known;
    }

    private static Body asJson(Body yaml) {
        try {
            JsonNode tree = new ObjectMapper(new YAMLFactory()).readTree(yaml.bytes());
            return Body.of(new ObjectMapper().writeValueAsBytes(tree));
        } catch (IOException e) {
            throw new UncheckedIOException("the contract is not YAML", e);
        }
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = ContractPages.class.getResourceAsStream(WEBJAR)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "");
    }

    private static Body resource(String name) {
        try (InputStream in = ContractPages.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + name);
            }
            return Body.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.latchkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// What the build says the program is made of, beside the jar: a scanner believes it.
class SbomIT {

    private static final Set<String> IN_THE_PROGRAM = Set.of("compile", "runtime");

    /// By `GROUP:NAME`, the version.
    private static final Map<String, String> COMPONENTS = new HashMap<>();
    private static final Map<String, String> PROPERTIES = new HashMap<>();
    /// Versions that the build settles for libraries of libraries, too.
    private static final Map<String, String> MANAGED = new HashMap<>();
    private static final List<Dependency> DEPENDENCIES = new ArrayList<>();

    /// @param version empty: another project's list says it
    private record Dependency(String name, String version, String scope, boolean list) {}

    @BeforeAll
    static void read() throws Exception {
        File file = new File("target/latchkey.cdx.json");
        assumeTrue(
                file.exists() || !"offline: true".equals(System.getProperty("latchkey.offline")),
                "SKIPPED: this build runs offline, where no list is made");
        JsonNode bom = new ObjectMapper().readTree(file);
        assertThat(bom.path("bomFormat").asText()).isEqualTo("CycloneDX");
        for (JsonNode each : bom.path("components")) {
            COMPONENTS.put(each.path("group").asText() + ":" + each.path("name").asText(),
                    each.path("version").asText());
        }
        Element project = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File("pom.xml"))
                .getDocumentElement();
        elements(child(project, "properties"))
                .forEach(each -> PROPERTIES.put(each.getTagName(), each.getTextContent()));
        dependencies(child(project, "dependencyManagement")).stream().filter(each -> !each.list())
                .forEach(each -> MANAGED.put(each.name(), each.version()));
        DEPENDENCIES.addAll(dependencies(project));
    }

    private static List<Dependency> dependencies(Element in) {
        return elements(child(in, "dependencies")).stream()
                .map(each -> new Dependency(
                        text(each, "groupId", "") + ":" + text(each, "artifactId", ""), text(each, "version", ""),
                        text(each, "scope", "compile"), text(each, "type", "jar").equals("pom")))
                .toList();
    }

    private static List<Element> elements(Element in) {
        List<Element> elements = new ArrayList<>();
        NodeList nodes = in.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i) instanceof Element element) {
                elements.add(element);
            }
        }
        return elements;
    }

    private static Element child(Element in, String name) {
        return elements(in).stream().filter(each -> each.getTagName().equals(name)).findFirst().orElseThrow();
    }

    private static String text(Element in, String name, String otherwise) {
        String text = elements(in).stream().filter(each -> each.getTagName().equals(name)).findFirst()
                .map(Element::getTextContent).orElse(otherwise);
        return text.startsWith("${") ? PROPERTIES.getOrDefault(text.substring(2, text.length() - 1), text) : text;
    }

    @Test
    void everythingThatTheProgramIsBuiltWithIsNamedWithItsVersion() {
        assertThat(DEPENDENCIES).extracting(Dependency::name)
                .contains("info.picocli:picocli", "org.postgresql:postgresql", "io.javalin:javalin");
        assertThat(DEPENDENCIES).filteredOn(each -> IN_THE_PROGRAM.contains(each.scope())).allSatisfy(each -> {
            assertThat(COMPONENTS).containsKey(each.name());
            String version = MANAGED.getOrDefault(each.name(), each.version());
            assertThat(version).isIn("", COMPONENTS.get(each.name()));
        });
    }

    @Test
    void whatThoseBringAlongIsNamedAsTheBuildSettlesIt() {
        assertThat(COMPONENTS).containsAllEntriesOf(MANAGED);
        Map<String, String> jetty = new HashMap<>(COMPONENTS);
        jetty.keySet().removeIf(name -> !name.startsWith("org.eclipse.jetty"));
        assertThat(jetty).isNotEmpty().values().containsOnly(PROPERTIES.get("jetty.version"));
    }

    @Test
    void whatOnlyTheTestsUseIsNotInIt() {
        assertThat(DEPENDENCIES).filteredOn(each -> each.scope().equals("test")).isNotEmpty()
                .extracting(Dependency::name).doesNotContainAnyElementsOf(COMPONENTS.keySet());
        assertThat(COMPONENTS.keySet()).noneMatch(name -> name.startsWith("org.junit"));
    }
}

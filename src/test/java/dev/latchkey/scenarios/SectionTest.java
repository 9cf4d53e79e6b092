package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// How the page is read into what is run.
class SectionTest {

    @Test
    void blocksAreReadInTheirOrder() {
        List<Section> sections = Section.of("""
                # Page
                ## One
                ```python
                # job.py
                print(1)
                ```
                ```console
                $ python3 job.py \\
                    again
                1
                $ true
                ```
                ## Two
                ```sql
                select 1;
                ```

                ```text
                 1
                ```
                """);
        assertThat(sections).containsExactly(
                new Section("One", List.of(
                        new Snippet.Save("job.py", "# job.py\nprint(1)\n"),
                        new Snippet.Command("python3 job.py \\\n    again", "1"),
                        new Snippet.Command("true", ""))),
                new Section("Two", List.of(new Snippet.Sql("select 1;\n", "1"))));
    }

    @Test
    void blockThatNobodyWouldRunIsNotPassedOver() {
        for (String block : List.of("```python\nprint(1)\n```\n", "```text\nsaid\n```\n", "```console\nsaid\n```\n")) {
            assertThatThrownBy(() -> Section.of("## One\n" + block)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}

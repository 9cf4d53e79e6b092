package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.testing.Last;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Java goes without a cache that it cannot use, and says nothing: then a run takes minutes longer.
@Last
final class StartCacheIT {

    @Test
    void cacheOfThisRunIsTakenByJava() {
        assumeTrue(Seen.byManyProcesses(), "SKIPPED: not in a whole run, so there is no need for a cache");
        Path cache = StartCache.made().orElseThrow(() -> new AssertionError("no suite has made a cache"));
        try (Program shown = Program.start(List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on"), "--version")) {
            assertThat(shown.awaitExit()).as(shown.output()).isZero();
        }
    }
}

package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostUrlsTest {

    @Test
    void eachHostGetsAUrlWithAllTheRest() {
        assertThat(HostUrls.of("jdbc:postgresql://a:5432,b,[::1]:5433/ledger?user=u&options=a,b"))
                .containsExactly(
                        "jdbc:postgresql://a:5432/ledger?user=u&options=a,b",
                        "jdbc:postgresql://b/ledger?user=u&options=a,b",
                        "jdbc:postgresql://[::1]:5433/ledger?user=u&options=a,b");
    }

    @Test
    void oneHostAndWhatIsNotUnderstoodStayAsTheyAre() {
        for (String url : new String[] {
            "jdbc:postgresql://a:5432/ledger?options=a,b", "jdbc:postgresql:ledger", "jdbc:postgresql://a/",
            "jdbc:other://a,b/c"
        }) {
            assertThat(HostUrls.of(url)).containsExactly(url);
        }
    }
}

package dev.latchkey.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void aLeaseIsTheTimeoutAndTheMargin() throws SettingsException {
        Settings settings = SettingsText.read(SettingsText.downstreamWith("timeout: 20s"));
        assertThat(settings.lease(settings.routes().getFirst())).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void sendingBeginsWithinHalfTheMargin() throws SettingsException {
        Settings settings = SettingsText.read(SettingsText.downstreamWith("timeout: 20s"));
        assertThat(settings.sendWindow(settings.routes().getFirst())).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void sendingNeverBeginsLaterThanTheTimeout() throws SettingsException {
        Settings settings = SettingsText.read(SettingsText.downstreamWith("timeout: 2s"));
        assertThat(settings.sendWindow(settings.routes().getFirst())).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void recordsCheckThemselvesWithoutAFile() {
        assertThatThrownBy(() -> new Limits(-1, 1, 1, 0, 1, null, 1, 1, Duration.ofSeconds(1), 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("request-body")
                .hasMessageContaining("forwards");
    }

    @Test
    void nothingSecretIsShown() throws SettingsException {
        Settings settings = SettingsText.read("""
                ledger: { url: "jdbc:postgresql://db/x?user=u&password=canary", password: canary }
                routes:
                  - name: a
                    prefix: /a
                    downstream: { url: "http://a", headers: { Authorization: "Bearer canary" } }
                """);
        assertThat(List.of(settings)).asString().doesNotContain("canary").contains("Authorization");
    }
}

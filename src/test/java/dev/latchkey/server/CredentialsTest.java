package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.gateway.Caller;
import dev.latchkey.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {

    private final Clients clients = RunningServer.twoClients();

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static Headers authorization(String value) {
        return Headers.of("Authorization", value);
    }

    private String who(Headers headers) {
        return clients.authenticate(headers).map(Caller::name).orElse("nobody");
    }

    @Test
    void aTokenIsTakenInEveryForm() {
        assertThat(who(authorization("Bearer alpha-token"))).isEqualTo("alpha");
        assertThat(who(authorization("bEARER   alpha-token"))).isEqualTo("alpha");
        assertThat(who(authorization(basic("alpha-token:")))).isEqualTo("alpha");
        assertThat(who(authorization(basic("anything:alpha-token")))).isEqualTo("alpha");
        assertThat(who(authorization(basic("alpha-token")))).isEqualTo("alpha");
        assertThat(who(Headers.of("Latchkey-Token", "beta-token"))).isEqualTo("beta");
    }

    @Test
    void anyValidCredentialAuthenticates() {
        assertThat(who(Headers.of("Authorization", "Bearer of-somebody-else", "Latchkey-Token", "beta-token")))
                .isEqualTo("beta");
        assertThat(who(Headers.of("Authorization", "Bearer x", "Authorization", "Bearer alpha-token")))
                .isEqualTo("alpha");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Bearer", "Bearer ", "Bearer wrong", "Bearer alpha-token x", "alpha-token", "Basic ",
                "Basic %%%",
                "Basic Og==", "Digest alpha-token"})
    void anythingElseIsNobody(String value) {
        assertThat(who(authorization(value))).isEqualTo("nobody");
    }

    @Test
    void openIsOneClientWhateverIsSent() {
        assertThat(Clients.open().authenticate(authorization("Bearer x")))
                .hasValueSatisfying(caller -> assertThat(caller.oldestName()).isEqualTo("open"));
    }

    @Test
    void whereNobodyIsKnownNobodyIsLetIn() {
        Clients none = Clients.of(List.of());
        assertThat(none.isEmpty()).isTrue();
        assertThat(none.authenticate(authorization("Bearer "))).isEmpty();
    }

    @Test
    void renamedClientsEntriesAreUnderItsOldestName() {
        Clients clients = Clients.of(List.of(new Clients.Known(
                new Caller("pipelines", "etl", Set.of()), Set.of(RunningServer.digest("token")))));
        assertThat(clients.inLedger("pipelines")).isEqualTo("etl");
        assertThat(clients.inLedger("etl")).isEqualTo("etl");
        assertThat(clients.inLedger("stranger")).isEqualTo("stranger");
        assertThat(clients.inLedger(null)).isNull();
    }

    @Test
    void oneTokenIsOneClients() {
        String digest = RunningServer.digest("same");
        assertThatThrownBy(() -> Clients.of(List.of(
                new Clients.Known(Caller.named("a"), Set.of(digest)),
                new Clients.Known(Caller.named("b"), Set.of(digest.toUpperCase(java.util.Locale.ROOT))))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same token")
                .hasMessageNotContaining(digest);
    }
}

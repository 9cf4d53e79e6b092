package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.stripe.StripeClient;
import dev.latchkey.testing.Cut;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Ending;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Spot;
import dev.latchkey.testing.Step;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs what the README says for the clients that people have, through a network that loses the first answer: the tool
/// tries again with the same key, and what it gets then is a replay of the one effect.
@EndToEnd
final class OtherClientsIT {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(bash|python|java|javascript)\\n(.*?)^```$");
    private static final String PAYMENT_INTENT = """
            {"id":"pi_readme","object":"payment_intent","amount":2550,"currency":"eur","status":"succeeded"}""";

    @TempDir
    private Path folder;

    private final World world;
    private final RawDownstream downstream;

    OtherClientsIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    @Test
    void curlRetriesWhatIsReleasedAndWhatIsLost() throws Exception {
        Tool.needed("curl", "curl");
        firstRefusesThenPays("curl");
        Tool.Ran ran = throughBadNetwork(block("bash", "--retry"), "curl", List.of("order-paid:1001"),
                block -> List.of("bash", "-c", block));
        assertThat(ran.output()).endsWith("201\n");
        assertThat(Files.readString(folder.resolve("answer.json"))).isEqualTo("{\"paid\":1}");
        assertThat(downstream.receivedAt("/moved/curl")).hasSize(2);
    }

    @Test
    void urllib3AndRequestsRetryWhatIsReleasedAndWhatIsLost() throws Exception {
        String python = Tool.python("urllib3, requests", "Debian's python3-urllib3 python3-requests");
        firstRefusesThenPays("python");
        firstRefusesThenPays("python");
        Tool.Ran ran = throughBadNetwork(block("python", "SameKey"), "python",
                List.of("order-paid:1001", "order-paid:1002"), block -> List.of(python, "-c", block));
        assertThat(ran.output()).isEqualTo("201 true\n201 true\n");
        assertThat(downstream.receivedAt("/moved/python")).hasSize(4);
    }

    @Test
    void loopAroundJavasHttpClientRetriesWhatIsReleasedAndWhatIsLost() throws Exception {
        firstRefusesThenPays("java");
        Tool.Ran ran = throughBadNetwork(block("java", "HttpClient"), "java", List.of("order-paid:1001"),
                block -> List.of(Tool.java(), saved("Pay.java", block)));
        assertThat(ran.output()).isEqualTo("201 true\n");
        assertThat(downstream.receivedAt("/moved/java")).hasSize(2);
    }

    @Test
    void stripesSdkForJavaRetriesWhatIsLost() throws Exception {
        downstream.at("/pay/readme-java/v1/payment_intents", Step.json(200, PAYMENT_INTENT));
        Tool.Ran ran = throughBadNetwork(block("java", "StripeClient"), "readme-java", List.of("order-paid:1001"),
                block -> List.of(Tool.java(), "-classpath",
                        jar(StripeClient.class) + File.pathSeparator + jar(Gson.class),
                        saved("PayByStripe.java", block)));
        assertThat(ran.output()).isEqualTo("pi_readme\n");
        onePaymentWithTheRoutesCredential("/pay/readme-java/v1/payment_intents");
    }

    @Test
    void stripesSdkForNodeRetriesWhatIsLost() throws Exception {
        Path packages = NodePackages.installed();
        downstream.at("/pay/readme-node/v1/payment_intents", Step.json(200, PAYMENT_INTENT));
        Tool.Ran ran = throughBadNetwork(block("javascript", "Stripe"), "readme-node", List.of("order-paid:1001"),
                block -> List.of("node", Files.writeString(packages.resolve("readme.mjs"), block).toString()));
        assertThat(ran.output()).isEqualTo("pi_readme\n");
        onePaymentWithTheRoutesCredential("/pay/readme-node/v1/payment_intents");
    }

    /// The route `moved` takes a 503 for the downstream's word that it did nothing.
    private void firstRefusesThenPays(String name) {
        downstream.at("/moved/" + name, Step.json(503, "{}").header("Retry-After", "1"),
                Step.json(201, "{\"paid\":1}"));
    }

    private void onePaymentWithTheRoutesCredential(String path) {
        List<Received> payments = downstream.receivedAt(path);
        assertThat(payments).hasSize(1);
        assertThat(payments.getFirst().text()).isEqualTo("amount=2550&currency=eur");
        assertThat(payments.getFirst().header("Content-Type")).startsWith("application/x-www-form-urlencoded");
        assertThat(payments.getFirst().header("Authorization")).isEqualTo("Bearer canary-credential-route");
        assertThat(payments.getFirst().header("Stripe-Version")).isNotEmpty();
    }

    /// How a block becomes a command.
    private interface Launch {
        List<String> of(String block) throws IOException;
    }

    /// Runs the block, its address and keys replaced by those of this test, and loses the answer that says `HTTP/1.1 20x` of
    /// each key once.
    private Tool.Ran throughBadNetwork(String block, String name, List<String> keys, Launch launch) throws Exception {
        try (CuttingProxy network = CuttingProxy.to(world.gateway().port())) {
            String mine = block.replace("order-paid", "order-paid-" + name)
                    .replace("localhost:8080/payments", "127.0.0.1:" + network.port() + "/moved/" + name)
                    .replace("localhost:8080/stripe", "127.0.0.1:" + network.port() + "/payments/" + name)
                    .replace("\"/stripe\"", "\"/payments/" + name + "\"")
                    .replace("host: \"localhost\", port: 8080", "host: \"127.0.0.1\", port: " + network.port());
            List<Cut> cuts = keys.stream()
                    .map(key -> Cut.ofAnswer(
                            key.replace("order-paid", "order-paid-" + name), Spot.before("HTTP/1.1 20"), Ending.RESET))
                    .toList();
            cuts.forEach(network::with);
            Map<String, String> environment =
                    Map.of("LATCHKEY_TOKEN", ALICE.token(), "HOME", folder.toString(), "XDG_CONFIG_HOME",
                            folder.toString());
            Tool.Ran ran = Tool.run(folder, environment, launch.of(mine));
            assertThat(ran.exit()).as(ran.output()).isZero();
            for (Cut cut : cuts) {
                cut.awaitStruck();
            }
            return ran;
        }
    }

    private String saved(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    /// The README's only block of that language with that word.
    private static String block(String language, String word) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(Path.of("README.md")))
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .filter(text -> text.contains(word))
                .toList();
        assertThat(blocks).as(language + " with " + word).hasSize(1);
        return blocks.getFirst();
    }

    private static String jar(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

package story;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.latchkey.client.ApiClient;
import dev.latchkey.client.ApiException;
import dev.latchkey.client.ApiResponse;
import dev.latchkey.client.JSON;
import dev.latchkey.client.api.CallsApi;
import dev.latchkey.client.api.ClaimsApi;
import dev.latchkey.client.api.EntriesApi;
import dev.latchkey.client.model.Claim;
import dev.latchkey.client.model.ClaimRenewal;
import dev.latchkey.client.model.ClaimRenewed;
import dev.latchkey.client.model.ClaimRequest;
import dev.latchkey.client.model.Entry;
import dev.latchkey.client.model.Problem;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The whole story, told by the client that openapi-generator makes for Java (library `native`) from
/// `openapi/latchkey.yaml`. Prints what it sees, a line a step, as in story.txt.
///
/// Arguments: the gateway's URL, a client's token, a path below `/payments` for this run.
public final class Story {

    private static final int TRIES = 200;

    private final CallsApi calls;
    private final EntriesApi entries;
    private final ClaimsApi claims;
    private final CallsApi below;
    private final String name;

    private Story(String gateway, String token, String name) {
        calls = new CallsApi(client(gateway, token));
        entries = new EntriesApi(client(gateway, token));
        claims = new ClaimsApi(client(gateway, token));
        // A longer path: its first segments stand in the base URL, for the client encodes the slashes of a parameter.
        below = new CallsApi(client(gateway + "/payments/" + name, token));
        this.name = name;
    }

    public static void main(String[] args) throws Exception {
        Story story = new Story(args[0], args[1], args[2]);
        story.call();
        story.await();
        story.lookUp();
        story.claim();
        story.giveUp();
    }

    /// The native library leaves credentials to the program.
    private static ApiClient client(String url, String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(url);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        return client;
    }

    private void call() throws Exception {
        ApiResponse<Object> first = pay("first", null, 25.50);
        say("first: " + seen(first));
        ApiResponse<Object> again = pay("first", null, 25.50);
        say("again: " + seen(again) + ", same answer " + Objects.equals(again.getData(), first.getData()));
        say("mismatch: " + seen(refusal(() -> pay("first", null, 99))));
        ApiResponse<Object> longer =
                below.postPathWithHttpInfo("refunds", "1", key("longer"), null, null, null, Map.of("amount", 1));
        say("longer path: " + seen(longer));
    }

    private void await() throws Exception {
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<ApiResponse<Object>> slow = threads.submit(() -> pay("slow", null, 1));
            awaitEntry(key("slow"));
            say("in progress: " + seen(refusal(() -> pay("slow", "wait=0", 1))));
            say("waited: " + seen(pay("slow", "wait=30", 1)));
            say("meanwhile: " + seen(slow.get()));
        }
    }

    private void lookUp() throws Exception {
        Entry entry = entries.getEntryByKey(key("first"));
        say("by key: %s, %s %s, attempts %d, status %d".formatted(
                entry.getState().getValue(), entry.getMethod(), entry.getTarget(), entry.getAttempts(),
                entry.getRecordedStatus()));
        say("by id: same entry " + entries.getEntry(entry.getEntryId()).equals(entry));
        say("its response: " + seen(entries.getEntryResponseWithHttpInfo(entry.getEntryId())));
        say("no entry: " + seen(refusal(() -> entries.getEntryByKeyWithHttpInfo(key("nothing")))));
    }

    private void claim() throws Exception {
        ApiResponse<Object> made = claim("file");
        say("claim: " + seen(made));
        Claim claim = held(made);
        say("held: " + seen(refusal(() -> claim("file"))));
        ClaimRenewed renewed =
                claims.renewClaim(claim.getEntryId(), claim.getToken(), new ClaimRenewal().lease("120s"));
        say("renewed: same attempt %s, longer %s".formatted(
                renewed.getAttempt().equals(claim.getAttempt()),
                renewed.getLeaseUntil().isAfter(claim.getLeaseUntil())));
        Object result = Map.of("rows", 3);
        Entry entry = claims.putClaimResult(claim.getEntryId(), claim.getToken(), result);
        say("result: " + entry.getState().getValue());
        ApiResponse<Object> again = claim("file");
        say("claim again: " + seen(again) + ", same result " + result.equals(again.getData()));
    }

    private void giveUp() throws Exception {
        Claim claim = held(claim("mail"));
        say("given up: " + claims.releaseClaimWithHttpInfo(claim.getEntryId(), claim.getToken()).getStatusCode());
        say("lost: "
                + seen(refusal(() -> claims.putClaimResult(claim.getEntryId(), claim.getToken(), Map.of("sent", 1)))));
        Claim anew = held(claim("mail"));
        say("claimed anew: other token " + !anew.getToken().equals(claim.getToken()));
        claims.releaseClaim(anew.getEntryId(), anew.getToken());
    }

    private ApiResponse<Object> claim(String what) throws ApiException {
        ClaimRequest request = new ClaimRequest().effect(Map.of("does", what)).lease("60s");
        return claims.claimWithHttpInfo(key(what), request, "wait=0");
    }

    /// The call answers with a claim or with a result, and Java has one type for both.
    private static Claim held(ApiResponse<Object> made) {
        return JSON.getDefault().getMapper().convertValue(made.getData(), Claim.class);
    }

    private ApiResponse<Object> pay(String what, String prefer, double amount) throws ApiException {
        Map<String, Object> body = Map.of("amount", amount, "currency", "EUR");
        return calls.postPathWithHttpInfo("payments", name, key(what), prefer, null, null, body);
    }

    private String key(String what) {
        return "story:" + name + ":" + what;
    }

    private void awaitEntry(String key) throws Exception {
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                entries.getEntryByKey(key);
                return;
            } catch (ApiException notYet) {
                Thread.sleep(25);
            }
        }
        throw new IllegalStateException("no entry of " + key);
    }

    private static ApiException refusal(Callable<?> call) throws Exception {
        try {
            throw new IllegalStateException("not refused: " + call.call());
        } catch (ApiException refused) {
            return refused;
        }
    }

    private static String seen(ApiResponse<?> answer) {
        return "%d, replayed %s, %s".formatted(
                answer.getStatusCode(), field(answer, "idempotent-replayed"), field(answer, "idempotency-state"));
    }

    private static String field(ApiResponse<?> answer, String name) {
        return answer.getHeaders().getOrDefault(name, List.of("absent")).getFirst();
    }

    private static String seen(ApiException refused) throws JsonProcessingException {
        Problem problem = JSON.getDefault().getMapper().readValue(refused.getResponseBody(), Problem.class);
        return "%d %s, state %s, forwarded %s, differs %s, retry %s, new key %s, Retry-After %s".formatted(
                refused.getCode(),
                problem.getType().getValue(),
                problem.getState() == null ? "none" : problem.getState().getValue(),
                problem.getForwarded().getValue(),
                problem.getDiffers().stream().findFirst().map(Problem.DiffersEnum::getValue).orElse("none"),
                problem.getRetrySameKey(),
                problem.getNewKeySafe(),
                refused.getResponseHeaders().firstValue("Retry-After").isPresent());
    }

    private static void say(String line) {
        System.out.println(line);
    }
}

/**
 * The whole story, told by the client that openapi-typescript and openapi-fetch make from openapi/latchkey.yaml. Prints
 * what it sees, a line a step, as in story.txt.
 *
 * Arguments: the gateway's URL, a client's token, a path below /payments for this run.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./latchkey.js";

type Claim = components["schemas"]["Claim"];
type Refusal = components["schemas"]["ProblemOrPassed"];

const [gateway = "", token = "", name = ""] = process.argv.slice(2);

function client(baseUrl: string) {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
}

const api = client(gateway);
// A longer path: its first segments stand in the base URL, for the client encodes the slashes of a parameter.
const below = client(`${gateway}/payments/${name}`);

const key = (what: string) => `story:${name}:${what}`;

function pay(what: string, amount: number, prefer?: string) {
  return api.POST("/{route}/{path}", {
    params: {
      path: { route: "payments", path: name },
      header: { "Idempotency-Key": key(what), ...(prefer && { Prefer: prefer }) },
    },
    body: { amount, currency: "EUR" },
  });
}

function byKey(what: string) {
  return api.GET("/v1/entry", { params: { header: { "Idempotency-Key": key(what) } } });
}

function claim(what: string) {
  return api.POST("/v1/claims", {
    params: { header: { "Idempotency-Key": key(what), Prefer: "wait=0" } },
    body: { effect: { does: what }, lease: "60s", on_expiry: "in-doubt" },
  });
}

/** The call answers with a claim or with a result, which may be anything. */
function claimed({ data, response }: { data?: unknown; response: Response }): Claim {
  if (response.status !== 201) {
    throw new Error(`no claim: ${response.status}`);
  }
  return data as Claim;
}

function of(claim: Claim) {
  return { path: { "entry-id": claim.entry_id }, header: { "Claim-Token": claim.token } };
}

function seen({ response }: { response: Response }): string {
  const field = (header: string) => response.headers.get(header) ?? "absent";
  return `${response.status}, replayed ${field("Idempotent-Replayed")}, ${field("Idempotency-State")}`;
}

/** Tells the gateway's own problem from what a downstream may have answered with the same status. */
function refused({ error: problem, response }: { error?: Refusal | string; response: Response }): string {
  if (typeof problem !== "object" || !("retry_same_key" in problem)) {
    throw new Error(`not refused: ${response.status} ${JSON.stringify(problem)}`);
  }
  return (
    `${response.status} ${problem.type}, state ${problem.state ?? "none"}, forwarded ${problem.forwarded}, ` +
    `differs ${problem.differs?.[0] ?? "none"}, retry ${problem.retry_same_key}, new key ${problem.new_key_safe}, ` +
    `Retry-After ${response.headers.has("Retry-After")}`
  );
}

async function awaitEntry(what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await byKey(what)).data) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`no entry of ${what}`);
}

const first = await pay("first", 25.5);
console.log(`first: ${seen(first)}`);
const again = await pay("first", 25.5);
console.log(`again: ${seen(again)}, same answer ${JSON.stringify(again.data) === JSON.stringify(first.data)}`);
console.log(`mismatch: ${refused(await pay("first", 99))}`);
const longer = await below.POST("/{route}/{path}", {
  params: { path: { route: "refunds", path: "1" }, header: { "Idempotency-Key": key("longer") } },
  body: { amount: 1 },
});
console.log(`longer path: ${seen(longer)}`);

const slow = pay("slow", 1);
await awaitEntry("slow");
console.log(`in progress: ${refused(await pay("slow", 1, "wait=0"))}`);
console.log(`waited: ${seen(await pay("slow", 1, "wait=30"))}`);
console.log(`meanwhile: ${seen(await slow)}`);

const { data: entry } = await byKey("first");
if (!entry) {
  throw new Error("the entry is not there");
}
console.log(
  `by key: ${entry.state}, ${entry.method} ${entry.target}, attempts ${entry.attempts}, status ${entry.recorded_status}`,
);
const path = { "entry-id": entry.entry_id };
const byId = await api.GET("/v1/entries/{entry-id}", { params: { path } });
console.log(`by id: same entry ${JSON.stringify(byId.data) === JSON.stringify(entry)}`);
console.log(`its response: ${seen(await api.GET("/v1/entries/{entry-id}/response", { params: { path } }))}`);
console.log(`no entry: ${refused(await byKey("nothing"))}`);

const made = await claim("file");
console.log(`claim: ${seen(made)}`);
const held = claimed(made);
console.log(`held: ${refused(await claim("file"))}`);
const { data: renewed } = await api.POST("/v1/claims/{entry-id}/renew", { params: of(held), body: { lease: "120s" } });
console.log(
  `renewed: same attempt ${renewed?.attempt === held.attempt}, ` +
    `longer ${Date.parse(renewed?.lease_until ?? "") > Date.parse(held.lease_until)}`,
);
const result = { rows: 3 };
const recorded = await api.PUT("/v1/claims/{entry-id}/result", { params: of(held), body: result });
console.log(`result: ${recorded.data?.state}`);
const repeated = await claim("file");
console.log(`claim again: ${seen(repeated)}, same result ${JSON.stringify(repeated.data) === JSON.stringify(result)}`);

const mail = claimed(await claim("mail"));
const givenUp = await api.DELETE("/v1/claims/{entry-id}", { params: of(mail) });
console.log(`given up: ${givenUp.response.status}`);
const late = await api.PUT("/v1/claims/{entry-id}/result", { params: of(mail), body: { sent: 1 } });
console.log(`lost: ${refused(late)}`);
const anew = claimed(await claim("mail"));
console.log(`claimed anew: other token ${anew.token !== mail.token}`);
await api.DELETE("/v1/claims/{entry-id}", { params: of(anew) });

"""The whole story, told by the client that openapi-generator makes for Python (python-pydantic-v1) from
openapi/latchkey.yaml, on nothing but what Debian 12 has. Prints what it sees, a line a step, as in story.txt.

Arguments: the gateway's URL, a client's token, a path below /payments for this run.
"""

import sys
import time

from latchkey_client import (
    ApiClient, ApiException, CallsApi, ClaimRenewal, ClaimRequest, ClaimsApi, Configuration, EntriesApi, Problem)

GATEWAY, TOKEN, NAME = sys.argv[1:4]

client = ApiClient(Configuration(host=GATEWAY, access_token=TOKEN))
calls = CallsApi(client)
entries = EntriesApi(client)
claims = ClaimsApi(client)
# A longer path: its first segments stand in the base URL, for the client encodes the slashes of a parameter.
below = CallsApi(ApiClient(Configuration(host=f"{GATEWAY}/payments/{NAME}", access_token=TOKEN)))


def say(line):
    print(line, flush=True)


def key(what):
    return f"story:{NAME}:{what}"


def pay(what, amount, prefer=None, **options):
    return calls.post_path_with_http_info(
        "payments", NAME, idempotency_key=key(what), prefer=prefer, body={"amount": amount, "currency": "EUR"}, **options)


def claim(what):
    request = ClaimRequest(effect={"does": what}, lease="60s")
    return claims.claim_with_http_info(key(what), request, prefer="wait=0")


def yes(value):
    return "true" if value else "false"


def seen(answer):
    fields = answer.headers
    return (f"{answer.status_code}, replayed {fields.get('Idempotent-Replayed', 'absent')}, "
            f"{fields.get('Idempotency-State', 'absent')}")


def refused(call, *arguments, **options):
    try:
        answer = call(*arguments, **options)
    except ApiException as refusal:
        problem = Problem.from_json(refusal.body)
        return (f"{refusal.status} {problem.type}, state {problem.state or 'none'}, forwarded {problem.forwarded}, "
                f"differs {problem.differs[0] if problem.differs else 'none'}, retry {yes(problem.retry_same_key)}, "
                f"new key {yes(problem.new_key_safe)}, Retry-After {yes('Retry-After' in refusal.headers)}")
    raise SystemExit(f"not refused: {answer}")


def await_entry(wanted):
    for _ in range(200):
        try:
            return entries.get_entry_by_key(wanted)
        except ApiException:
            time.sleep(0.025)
    raise SystemExit(f"no entry of {wanted}")


first = pay("first", 25.50)
say(f"first: {seen(first)}")
again = pay("first", 25.50)
say(f"again: {seen(again)}, same answer {yes(again.data == first.data)}")
say(f"mismatch: {refused(pay, 'first', 99)}")
say(f"longer path: {seen(below.post_path_with_http_info('refunds', '1', key('longer'), body={'amount': 1}))}")

slow = pay("slow", 1, async_req=True)
await_entry(key("slow"))
say(f"in progress: {refused(pay, 'slow', 1, prefer='wait=0')}")
say(f"waited: {seen(pay('slow', 1, prefer='wait=30'))}")
say(f"meanwhile: {seen(slow.get())}")

entry = entries.get_entry_by_key(key("first"))
say(f"by key: {entry.state}, {entry.method} {entry.target}, attempts {entry.attempts}, status {entry.recorded_status}")
say(f"by id: same entry {yes(entries.get_entry(entry.entry_id) == entry)}")
say(f"its response: {seen(entries.get_entry_response_with_http_info(entry.entry_id))}")
say(f"no entry: {refused(entries.get_entry_by_key, key('nothing'))}")

made = claim("file")
say(f"claim: {seen(made)}")
held = made.data
say(f"held: {refused(claim, 'file')}")
renewed = claims.renew_claim(held.entry_id, held.token, ClaimRenewal(lease="120s"))
say(f"renewed: same attempt {yes(renewed.attempt == held.attempt)}, longer {yes(renewed.lease_until > held.lease_until)}")
result = {"rows": 3}
say(f"result: {claims.put_claim_result(held.entry_id, held.token, result).state}")
again = claim("file")
say(f"claim again: {seen(again)}, same result {yes(again.data == result)}")

held = claim("mail").data
say(f"given up: {claims.release_claim_with_http_info(held.entry_id, held.token).status_code}")
say(f"lost: {refused(claims.put_claim_result, held.entry_id, held.token, {'sent': 1})}")
anew = claim("mail").data
say(f"claimed anew: other token {yes(anew.token != held.token)}")
claims.release_claim(anew.entry_id, anew.token)

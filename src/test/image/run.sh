#!/usr/bin/env bash
# Builds the image and runs it for real, as uid 10001 with a read-only root, no capabilities, 512 MiB and one CPU, on a real
# PostgreSQL with a role for the migration and one for the gateway, in front of the sandbox downstream out of the same image: a
# first call, its replay, a SIGTERM with a call under way, and what the image refuses. Then the development overlay of `k8s/`,
# rendered, on the same ledger: its pod replays what the container recorded.
#
#   src/test/image/run.sh [IMAGE]    IMAGE: one that is there already, and not built
#
# Not a part of `mvn verify`; `.ci/image` is its step. It wants podman and PostgreSQL's server programs, and kubectl for the
# overlay; as root on Debian it installs them. Where they cannot be had it says SKIPPED and ends with 0. Where the base images
# cannot be pulled, stand-ins are made from this machine's own packages, with its JDK 25 (JAVA_HOME or /usr/lib/jvm), and that is
# said too. Ends only what it has started; image and stand-ins stay for the next run.
set -Eeuo pipefail

cd "$(dirname "$0")/../../.."
readonly IMAGE=${1:-localhost/latchkey:test}
readonly STAND_IN=localhost/latchkey-stand-in
readonly MAVEN=3.9.11
readonly KEY='Idempotency-Key: order-paid:1001:2026-01-04'
readonly SLOW='Idempotency-Key: order-paid:1002:2026-01-04'

work=$(mktemp -d)
chmod 755 "$work"
containers=()
pod=
postgres=

say() { printf '\n== %s s: %s\n' "$SECONDS" "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  for name in "${containers[@]}"; do
    printf -- '--- %s\n' "$name" >&2
    podman logs --tail 40 "$name" >&2 || true
  done
  exit 1
}
skip() {
  printf '\nSKIPPED: the image was not built and not run: %s\n' "$*"
  exit 0
}
finish() {
  end_pod >"$work/rm.log" 2>&1 || true
  for name in "${containers[@]}"; do podman rm -f -t 0 "$name" >"$work/rm.log" 2>&1 || true; done
  if [ -n "$postgres" ]; then as_postgres "$postgres/pg_ctl" -D "$work/pg/data" -m immediate stop >"$work/rm.log" 2>&1 || true; fi
  rm -rf "$work"
}
end_pod() {
  [ -n "$pod" ] || return 0
  podman play kube --down "$pod"
  podman volume ls -q | { grep -E -- "-$$-[a-z0-9]+\$" || true; } | xargs -r podman volume rm
  pod=
}
trap finish EXIT
trap 'printf "FAILED: line %s: %s\n" "$LINENO" "$BASH_COMMAND" >&2' ERR

has() { command -v "$1" >"$work/which" 2>&1; }

. src/test/image/bases.sh
. src/test/image/rig.sh

show_migration() {
  container migrate migrate --config /etc/latchkey/migrate.yaml
  expect 'exit status of the migration' 0 "$(timeout 120 podman wait "latchkey-migrate-$$")"
  expect 'owner of the tables' latchkey_migrate "$(sql latchkey <<<"select tableowner from pg_tables where tablename = 'entry'")"
}

# CPU time that a process has had: how long it took matters less on a busy machine.
cpu_milliseconds() { # PROCESS
  awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000 / hertz }' "/proc/$1/stat"
}

start_gateway() { # NAME HOW
  local began
  began=$(milliseconds)
  container "$1" serve --config /etc/latchkey/latchkey.yaml
  wait_for "latchkey-$1-$$" "http://127.0.0.1:$health/health/ready"
  local ready process started
  ready=$(milliseconds)
  started=$(date -d "$(podman inspect --format '{{.State.StartedAt.Format "2006-01-02T15:04:05.000Z07:00"}}' "latchkey-$1-$$")" +%s%3N)
  process=$(podman inspect --format '{{.State.Pid}}' "latchkey-$1-$$")
  printf 'START TO READY: %s ms, and %s ms before for podman; %s ms of processor time (%s)\n' "$((ready - started))" \
    "$((started - began))" "$(cpu_milliseconds "$process")" "$2"
}

# A limit of the first gateway's control group, as it sees it.
expect_limit() { # WHAT WANTED FILE FILE-OF-VERSION-1…
  local what=$1 wanted=$2 found
  shift 2
  found=$(podman exec "latchkey-first-$$" sh -c 'cd /sys/fs/cgroup && if [ -r "$1" ]; then cat "$1"; else shift; cat "$@"; fi' \
    limit "$@" 2>"$work/limit.err" | paste -sd ' ' || true)
  if [ -z "$found" ]; then
    printf 'SKIPPED: the limit of %s was not looked at: %s\n' "$what" "$(tail -n 1 "$work/limit.err")"
  else
    expect "limit of $what" "$wanted" "$found"
  fi
}

show_confinement() {
  local name=latchkey-first-$$
  expect 'uid' 10001 "$(podman exec "$name" id -u)"
  expect 'effective capabilities' 0000000000000000 "$(podman exec "$name" sed -n 's/^CapEff:[[:space:]]*//p' /proc/1/status)"
  expect 'no new privileges' 1 "$(podman exec "$name" sed -n 's/^NoNewPrivs:[[:space:]]*//p' /proc/1/status)"
  if podman exec "$name" sh -c ': >/opt/latchkey/x' 2>"$work/write.err"; then fail "the root is writable"; fi
  expect_limit 'memory' $((512 << 20)) memory.max memory/memory.limit_in_bytes
  expect_limit 'CPU, of how much time' '100000 100000' cpu.max cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us
  # Some folders may not be looked into.
  { podman exec "$name" find / -xdev -iname '*embedded-postgres*' || true; } >"$work/embedded" 2>"$work/find.err"
  expect 'embedded PostgreSQL in the image' 0 "$(wc -l <"$work/embedded")"
}

show_health_check() {
  local name=latchkey-first-$$
  podman image inspect --format '{{json .Config.Healthcheck}}' "$IMAGE" | grep -q healthy.sh || fail 'the image has no health check'
  expect 'health check' 'HTTP/1.1 200 OK' "$(podman exec -e "LATCHKEY_MANAGEMENT_PORT=$health" "$name" \
    bash /opt/latchkey/healthy.sh | tr -d '\r')"
  if podman exec -e LATCHKEY_MANAGEMENT_PORT=1 "$name" bash /opt/latchkey/healthy.sh 2>"$work/health.err"; then
    fail 'the health check is content with a port on which nobody listens'
  fi
}

show_replay() {
  expect 'first call' 201 "$(call "$port" first -H "$KEY")"
  expect 'first call replayed' false "$(header first Idempotent-Replayed)"
  expect 'repeat' 201 "$(call "$port" second -H "$KEY")"
  expect 'repeat replayed' true "$(header second Idempotent-Replayed)"
  cmp "$work/first.body" "$work/second.body" || fail "the replay has another body"
  expect 'effects' 1 "$(effects)"
}

show_drain() {
  local name=latchkey-first-$$
  call "$port" slow -H "$SLOW" -H 'Sandbox-Fault: delay=4s' >"$work/slow.status" &
  local caller=$! began
  began=$(milliseconds)
  until [ "$(effects)" = 2 ]; do
    [ $(($(milliseconds) - began)) -lt 20000 ] || fail "the slow call did not reach the sandbox in time"
    sleep 0.05
  done
  kill -0 "$caller" || fail "the slow call ended before SIGTERM"
  podman kill --signal TERM "$name" >"$work/kill.log"
  wait "$caller" || fail "the call under way was cut by SIGTERM"
  expect 'call under way at SIGTERM' 201 "$(cat "$work/slow.status")"
  expect 'exit status after SIGTERM' 0 "$(timeout 120 podman wait "$name")"
}

show_starts() {
  start_gateway again 'again, on a warm machine'
  podman rm -f -t 0 "latchkey-again-$$" >"$work/rm.log"
  java_options=-XX:AOTMode=off start_gateway uncached 'without the cache'
  podman rm -f -t 0 "latchkey-uncached-$$" >"$work/rm.log"
  expect 'exit status where Java must have the cache' 0 "$(status -e JAVA_TOOL_OPTIONS=-XX:AOTMode=on "$IMAGE" --version)"
  : >"$work/etc/empty"
  local broken=(-v "$work/etc/empty:/opt/latchkey/latchkey.aot:ro")
  expect 'exit status with a broken cache' 0 "$(status "${broken[@]}" "$IMAGE" --version)"
  sed 's/^/    /' "$work/status.log"
  expect 'exit status where Java must have it, and it is broken' 1 \
    "$(status "${broken[@]}" -e JAVA_TOOL_OPTIONS=-XX:AOTMode=on "$IMAGE" --version)"
}

# The image has no embedded PostgreSQL: asking for it must end in a sentence, not in a class that is not found.
show_refusal() {
  printf 'ledger:\n  data-dir: /tmp/ledger\nroutes: []\n' >"$work/etc/embedded.yaml"
  expect 'exit status of serve with ledger.data-dir' 1 \
    "$(status -v "$work/etc:/etc/latchkey:ro" "$IMAGE" serve --config /etc/latchkey/embedded.yaml)"
  grep 'set ledger.url instead' "$work/status.log" || fail "no sentence: $(cat "$work/status.log")"
  ! grep -q -E '^[[:space:]]+at ' "$work/status.log" || fail 'a stack trace'
}

# The overlay as kubectl renders it, but for names, image and ports, which are this run's; its network is the machine's, for
# PostgreSQL is there; and its secrets are ConfigMaps, for podman 4.3 mounts secrets undecoded.
render_overlay() { # PORT MANAGEMENT-PORT SANDBOX-PORT
  mkdir "$work/overlay"
  cat >"$work/overlay/kustomization.yaml" <<EOF
resources: ["$(realpath --relative-to="$work/overlay" k8s/overlays/dev)"]
nameSuffix: "-$$"
images: [{ name: latchkey, newName: "${IMAGE%:*}", newTag: "${IMAGE##*:}" }]
configMapGenerator:
  - name: clients
    namespace: latchkey-dev
    literals:
      - pipelines-token-sha256=$(printf 'dev' | sha256sum | cut -d ' ' -f 1)
      - payments-token=dev
  - name: ledger
    namespace: latchkey-dev
    literals: [password=dev]
patches:
  - target: { kind: Secret }
    patch: '{ "\$patch": delete, apiVersion: v1, kind: Secret, metadata: { name: any } }'
  - target: { kind: Deployment }
    patch: |-
      - { op: add, path: /spec/template/spec/hostNetwork, value: true }
      - { op: remove, path: /spec/template/spec/containers/0/ports }
  - patch: |-
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: latchkey }
      spec:
        template:
          spec:
            volumes:
              - { name: secrets, secret: null, configMap: { name: clients } }
              - { name: ledger, secret: null, configMap: { name: ledger } }
EOF
  kubectl kustomize "$work/overlay" 2>"$work/kubectl.err" | sed -e "s/\b8080\b/$1/" -e "s/\b9090\b/$2/" -e "s/\b8081\b/$3/" \
    -e "s/postgres:5432/127.0.0.1:$pg_port/"
}

show_overlay() {
  local pod_port pod_health name
  has kubectl || { printf 'SKIPPED: the overlay was not run, since there is no kubectl here\n'; return 0; }
  pod_port=$(free_port) pod_health=$(free_port)
  render_overlay "$pod_port" "$pod_health" "$(free_port)" >"$work/pod.yaml" || fail "not rendered: $(cat "$work/kubectl.err")"
  pod=$work/pod.yaml
  podman play kube "$pod" >"$work/play.log" 2>&1 || fail "podman does not play the overlay: $(cat "$work/play.log")"
  # Older ones number the pod, too.
  name=$(podman ps --format '{{.Names}}' | grep -E -- "^latchkey-$$-pod(-0)?-latchkey\$")
  containers+=("$name")
  wait_for "$name" "http://127.0.0.1:$pod_health/health/ready"
  expect 'uid in the pod' 10001 "$(podman exec "$name" id -u)"
  expect 'a repeat through the pod' 201 "$(call "$pod_port" third -H "$KEY")"
  expect 'a repeat through the pod replayed' true "$(header third Idempotent-Replayed)"
  cmp "$work/first.body" "$work/third.body" || fail "the replay of the pod has another body"
  expect 'the drained call through the pod' 201 "$(call "$pod_port" again -H "$SLOW")"
  expect 'the drained call through the pod replayed' true "$(header again Idempotent-Replayed)"
  expect 'a new call through the pod' 201 "$(call "$pod_port" fresh -H 'Idempotency-Key: order-paid:1003:2026-01-04')"
  expect 'a new call through the pod replayed' false "$(header fresh Idempotent-Replayed)"
  expect 'effects in the sandbox beside the container' 2 "$(effects)"
  end_pod >"$work/down.log" 2>&1 || fail "podman does not end the pod: $(cat "$work/down.log")"
}

install_tools
configure_podman
if [ $# = 0 ]; then
  choose_bases
  build_image
fi
start_postgres
sandbox_port=$(free_port) port=$(free_port) health=$(free_port)
settings
container sandbox sandbox --port "$sandbox_port"
say 'Migrating'
show_migration
say 'Running the image'
start_gateway first 'the first time'
show_confinement
show_health_check
show_replay
show_drain
say 'Starting again'
show_starts
say 'Running the development overlay'
show_overlay
say 'What the image refuses'
show_refusal
say 'The image holds.'

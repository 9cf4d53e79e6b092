#!/usr/bin/env bash
# Builds the image and runs it for real: two replicas as uid 10001 with a read-only root, no capabilities, 512 MiB and
# one CPU, on one PostgreSQL, in front of the sandbox downstream out of the same image. It shows a first call, its replay
# through the other replica, a SIGTERM with a call under way, and what the image refuses.
#
#   src/test/image/run.sh            two minutes on an idle machine of two cores, more at the first time
#
# Not a part of `mvn verify`. It wants podman and PostgreSQL's server programs; as root on Debian it installs them. Where
# they cannot be had it says SKIPPED and ends with 0. Where the base images cannot be pulled, stand-ins are made from
# this machine's own packages, with its JDK 25 (JAVA_HOME or /usr/lib/jvm), and that is said too.
set -Eeuo pipefail

cd "$(dirname "$0")/../../.."
readonly IMAGE=localhost/latchkey:test
readonly STAND_IN=localhost/latchkey-stand-in
readonly MAVEN=3.9.11
readonly KEY='Idempotency-Key: order-paid:1001:2026-01-04'

work=$(mktemp -d)
chmod 755 "$work"
containers=()
postgres=

say() { printf '\n== %s\n' "$*"; }
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
  for name in "${containers[@]}"; do podman rm -f -t 0 "$name" >"$work/rm.log" 2>&1 || true; done
  if [ -n "$postgres" ]; then as_postgres "$postgres/pg_ctl" -D "$work/pg/data" -m immediate stop >"$work/rm.log" 2>&1 || true; fi
  rm -rf "$work"
}
trap finish EXIT
trap 'printf "FAILED: line %s: %s\n" "$LINENO" "$BASH_COMMAND" >&2' ERR

has() { command -v "$1" >"$work/which" 2>&1; }

# ---- tools ----------------------------------------------------------------------------------------------------------
find_postgres() { find /usr/lib/postgresql /usr/pgsql-* -name initdb -path '*/bin/*' -printf '%h\n' 2>"$work/find.err" | sort -V | tail -n 1 || true; }

install_tools() {
  local packages=()
  { has podman && has runc; } || packages+=(podman runc netavark iptables)
  [ -n "$(find_postgres)" ] || packages+=(postgresql)
  has curl || packages+=(curl)
  [ "${#packages[@]}" -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] && has apt-get || skip "${packages[*]} missing, and only root on Debian can install here"
  say "Installing ${packages[*]}"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${packages[@]}"; } \
    >"$work/apt.log" 2>&1 || { tail -n 5 "$work/apt.log"; skip "apt-get cannot install ${packages[*]}"; }
}

# Without the right to raise limits, podman's own defaults fail; crun fails on hybrid control groups.
configure_podman() {
  cat >"$work/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
EOF
  export CONTAINERS_CONF=$work/containers.conf
  podman info >"$work/info.log" 2>&1 || { tail -n 3 "$work/info.log"; skip "podman does not work here"; }
}

# ---- base images ----------------------------------------------------------------------------------------------------
base_of() { sed -n "s/^ARG $1=//p" Dockerfile; }

jdk_home() {
  local home
  for home in ${JAVA_HOME:+"$JAVA_HOME"} /usr/lib/jvm/*; do
    if [ -x "$home/bin/jlink" ] && [ -f "$home/release" ] && grep -q '^JAVA_VERSION="25' "$home/release"; then
      printf '%s' "$home"
      return 0
    fi
  done
  return 1
}

# A root file system out of installed packages: enough for a shell, Maven and a JVM.
root_of_packages() {
  local root=$1
  mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64"
  # Not every machine has each of them; dpkg and ls name those it knows and fail for the rest.
  { dpkg -L base-files base-passwd libc6 libc-bin dash bash coreutils findutils grep sed tar gzip debianutils zlib1g \
      libtinfo6 libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10 libcrypt1 libgcc-s1 libstdc++6 libssl3 \
      ca-certificates tzdata 2>"$work/dpkg.err" || true; } \
    | grep -v -E '^/usr/share/(doc|man|locale|info|lintian)/|^/\.$' | sort -u >"$work/files"
  printf '%s\n' /bin /lib /lib64 /sbin /etc/passwd /etc/group /etc/ssl/certs >>"$work/files"
  sed -e 's,^/,,' "$work/files" | { cd / && xargs -d '\n' ls -d 2>"$work/ls.err" || true; } | sort -u >"$work/there"
  tar -C / --no-recursion -cf - -T "$work/there" | tar -C "$root" -xf - --keep-directory-symlink
  cp -a /etc/ssl/certs "$root/etc/ssl/"
  mkdir -p "$root/tmp" "$root/root" "$root/proc" "$root/dev" "$root/sys"
  chmod 1777 "$root/tmp"
}

import() { # ROOT NAME
  tar -C "$1" -cf - . | podman import -q \
    -c 'ENV JAVA_HOME=/opt/java/openjdk' \
    -c 'ENV PATH=/opt/java/openjdk/bin:/usr/share/maven/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' \
    - "$2" >"$work/import.log"
}

make_stand_ins() {
  podman image exists "$STAND_IN/build" && podman image exists "$STAND_IN/run" && return 0
  local jdk root=$work/root
  jdk=$(jdk_home) || skip "the base images cannot be pulled, and there is no JDK 25 to make stand-ins with"
  has dpkg && has mvn || skip "the base images cannot be pulled, and stand-ins need dpkg and Maven"
  root_of_packages "$root"
  mkdir -p "$root/opt/java"
  "$jdk/bin/jlink" --output "$root/opt/java/openjdk" --strip-debug --no-man-pages --no-header-files \
    --generate-cds-archive --add-modules \
    java.se,jdk.unsupported,jdk.jcmd,jdk.crypto.ec,jdk.net,jdk.zipfs,jdk.jfr,jdk.management,jdk.management.agent \
    >"$work/jlink.log"
  import "$root" "$STAND_IN/run"
  rm -rf "$root/opt/java/openjdk"
  cp -aL "$jdk" "$root/opt/java/openjdk"
  rm -f "$root/opt/java/openjdk/lib/src.zip"
  mvn -B -q -ntp dependency:copy "-Dartifact=org.apache.maven:apache-maven:$MAVEN:tar.gz:bin" "-DoutputDirectory=$work" \
    >"$work/mvn.log"
  mkdir -p "$root/usr/share/maven"
  tar -xzf "$work/apache-maven-$MAVEN-bin.tar.gz" -C "$root/usr/share/maven" --strip-components=1
  import "$root" "$STAND_IN/build"
  rm -rf "$root"
}

base_arguments=()
choose_bases() {
  local build run
  build=$(base_of BUILD_IMAGE) run=$(base_of RUN_IMAGE)
  if timeout 120 podman pull -q "$run" >"$work/pull.log" 2>&1 && timeout 300 podman pull -q "$build" >>"$work/pull.log" 2>&1
  then
    say "Base images: $build, $run"
    return 0
  fi
  say "Base images cannot be pulled ($(tail -n 1 "$work/pull.log" | cut -c 1-120)): using stand-ins"
  make_stand_ins
  base_arguments=(--build-arg "BUILD_IMAGE=$STAND_IN/build" --build-arg "RUN_IMAGE=$STAND_IN/run")
}

build_image() {
  say "Building $IMAGE"
  podman build --pull=never --network=host "${base_arguments[@]}" -t "$IMAGE" . >"$work/build.log" 2>&1 \
    || { tail -n 40 "$work/build.log"; fail "the Dockerfile does not build"; }
  podman image inspect --format 'size {{.Size}} bytes, user {{.User}}' "$IMAGE"
}

# ---- PostgreSQL -----------------------------------------------------------------------------------------------------
as_postgres() {
  if [ "$(id -u)" != 0 ]; then "$@"; else setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; fi
}

free_port() {
  local port
  while port=$((20000 + RANDOM % 12000)); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>"$work/port.err"; then
      printf '%s' "$port"
      return 0
    fi
  done
}

start_postgres() {
  postgres=$(find_postgres)
  pg_port=$(free_port)
  say "Starting $("$postgres/postgres" --version) on port $pg_port"
  mkdir "$work/pg" "$work/etc"
  printf 'a-secret-of-this-run' >"$work/etc/ledger-password"
  cp "$work/etc/ledger-password" "$work/pg/password"
  [ "$(id -u)" != 0 ] || chown -R postgres: "$work/pg"
  as_postgres "$postgres/initdb" -D "$work/pg/data" -U latchkey -A scram-sha-256 --pwfile="$work/pg/password" \
    --no-sync >"$work/initdb.log"
  as_postgres "$postgres/pg_ctl" -D "$work/pg/data" -l "$work/pg/log" -w start \
    -o "-p $pg_port -c listen_addresses=127.0.0.1 -c unix_socket_directories=" >"$work/pg_ctl.log"
  PGPASSWORD=$(cat "$work/etc/ledger-password") \
    psql -q -h 127.0.0.1 -p "$pg_port" -U latchkey -d postgres -c 'create database latchkey'
}

# ---- containers -----------------------------------------------------------------------------------------------------
container() { # NAME COMMAND…
  local name=latchkey-$1-$$
  shift
  containers+=("$name")
  podman run -d --name "$name" --pull=never --network=host --read-only --read-only-tmpfs=false --tmpfs /tmp:rw,size=32m \
    --user 10001:10001 --cap-drop=ALL --security-opt=no-new-privileges --memory=512m --cpus=1 \
    -v "$work/etc:/etc/latchkey:ro" "$IMAGE" "$@" >"$work/run.log" || fail "$name does not start"
}

settings() { # FILE PORT MANAGEMENT-PORT
  cat >"$work/etc/$1" <<EOF
listen:
  port: $2
management:
  port: $3
ledger:
  url: jdbc:postgresql://127.0.0.1:$pg_port/latchkey
  user: latchkey
  password: "\${file:/etc/latchkey/ledger-password}"
clients:
  - name: pipelines
    token-sha256: $(printf 'image-test' | sha256sum | cut -d ' ' -f 1)
drain:
  delay: 1s
routes:
  - name: payments
    prefix: /payments
    downstream:
      url: http://127.0.0.1:$sandbox_port/payments
EOF
}

milliseconds() { date +%s%3N; }

# Waits until the URL answers 200, for three minutes: two replicas with one CPU each may meet a busy machine.
wait_for() { # NAME URL
  local began
  began=$(milliseconds)
  until curl -fsS -o "$work/out" -m 2 "$2" 2>"$work/curl.err"; do
    [ "$(podman inspect --format '{{.State.Running}}' "$1")" = true ] || fail "$1 ended: $(podman logs --tail 3 "$1" 2>&1)"
    [ $(($(milliseconds) - began)) -lt 180000 ] || fail "$1 did not answer at $2: $(cat "$work/curl.err")"
    sleep 0.1
  done
}

call() { # PORT OUT [CURL-ARGUMENT…]
  local port=$1 out=$2
  shift 2
  curl -sS -m 60 -o "$work/$out.body" -D "$work/$out.head" -w '%{http_code}' "http://127.0.0.1:$port/payments" \
    -H 'Authorization: Bearer image-test' -H 'Content-Type: application/json' -d '{"amount": 25.50, "currency": "EUR"}' "$@"
}

expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected $2, got $3"
  printf 'ok  %s: %s\n' "$1" "$3"
}

header() { # OUT NAME
  tr -d '\r' <"$work/$1.head" | sed -n "s/^$2: //Ip"
}

effects() { curl -sS -m 5 "http://127.0.0.1:$sandbox_port/effects" | sed 's/.*"total":\([0-9]*\).*/\1/'; }

# ---- what is shown --------------------------------------------------------------------------------------------------
start_replicas() {
  sandbox_port=$(free_port) port_1=$(free_port) port_2=$(free_port) health_1=$(free_port) health_2=$(free_port)
  settings replica-1.yaml "$port_1" "$health_1"
  settings replica-2.yaml "$port_2" "$health_2"
  container sandbox sandbox --port "$sandbox_port"
  wait_for "latchkey-sandbox-$$" "http://127.0.0.1:$sandbox_port/effects"
  local began
  for n in 1 2; do
    local health=health_$n
    began=$(milliseconds)
    container "replica-$n" serve --config "/etc/latchkey/replica-$n.yaml"
    wait_for "latchkey-replica-$n-$$" "http://127.0.0.1:${!health}/health/ready"
    printf 'replica %s: ready %s ms after its start\n' "$n" $(($(milliseconds) - began))
  done
}

show_confinement() {
  local name=latchkey-replica-1-$$
  expect 'uid' 10001 "$(podman exec "$name" id -u)"
  expect 'effective capabilities' 0000000000000000 "$(podman exec "$name" sed -n 's/^CapEff:[[:space:]]*//p' /proc/1/status)"
  if podman exec "$name" sh -c ': >/opt/latchkey/x' 2>"$work/write.err"; then fail "the root is writable"; fi
  expect 'embedded PostgreSQL in the image' 0 "$(podman exec "$name" ls /opt/latchkey/lib | grep -c embedded-postgres || true)"
}

show_replay() {
  expect 'first call' 201 "$(call "$port_1" first -H "$KEY")"
  expect 'first call replayed' false "$(header first Idempotent-Replayed)"
  expect 'repeat through the other replica' 201 "$(call "$port_2" second -H "$KEY")"
  expect 'repeat replayed' true "$(header second Idempotent-Replayed)"
  cmp "$work/first.body" "$work/second.body" || fail "the replay has another body"
  expect 'effects' 1 "$(effects)"
}

show_drain() {
  local slow='Idempotency-Key: order-paid:1002:2026-01-04' name=latchkey-replica-1-$$
  call "$port_1" slow -H "$slow" -H 'Sandbox-Fault: delay=12s' >"$work/slow.status" &
  local caller=$! began
  began=$(milliseconds)
  until [ "$(effects)" = 2 ]; do
    [ $(($(milliseconds) - began)) -lt 10000 ] || fail "the slow call did not reach the sandbox in time"
    sleep 0.1
  done
  kill -0 "$caller" || fail "the slow call ended before SIGTERM"
  podman kill --signal TERM "$name" >"$work/kill.log"
  wait "$caller" || fail "the call under way was cut by SIGTERM"
  expect 'call under way at SIGTERM' 201 "$(cat "$work/slow.status")"
  expect 'exit status after SIGTERM' 0 "$(timeout 120 podman wait "$name")"
  expect 'its repeat through the other replica' 201 "$(call "$port_2" again -H "$slow")"
  expect 'its repeat replayed' true "$(header again Idempotent-Replayed)"
  expect 'effects' 2 "$(effects)"
}

# The image has no embedded PostgreSQL: asking for it must end in a sentence, not in a class that is not found.
show_refusal() { # WHAT COMMAND…
  local what=$1 status=0
  shift
  timeout 180 podman run --rm --pull=never --network=host --read-only --tmpfs /tmp --user 10001:10001 --memory=512m --cpus=1 \
    -v "$work/etc:/etc/latchkey:ro" "$IMAGE" "$@" >"$work/refusal" 2>&1 || status=$?
  sed 's/^/    /' "$work/refusal" | tail -n 5
  [ "$status" = 1 ] || [ "$status" = 2 ] || fail "$what: exit status $status"
  ! grep -q -E 'NoClassDefFoundError|ClassNotFoundException|^[[:space:]]+at ' "$work/refusal" || fail "$what: a stack trace"
  printf 'ok  %s: refused with %s\n' "$what" "$status"
}

install_tools
configure_podman
choose_bases
build_image
start_postgres
say 'Running two replicas'
start_replicas
show_confinement
show_replay
show_drain
say 'What the image refuses'
printf 'ledger:\n  data-dir: /tmp/ledger\nclients: open\nroutes: []\n' >"$work/etc/embedded.yaml"
show_refusal 'serve with ledger.data-dir' serve --config /etc/latchkey/embedded.yaml
show_refusal 'demo' demo
show_refusal 'serve without a settings file' serve
say 'The image holds.'

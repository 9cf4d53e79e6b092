# What run.sh runs: a PostgreSQL, containers, calls. Sourced by it.

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
  printf 'a-secret-of-this-run' >"$work/pg/password"
  printf 'dev' >"$work/etc/ledger-password"
  [ "$(id -u)" != 0 ] || chown -R postgres: "$work/pg"
  as_postgres "$postgres/initdb" -D "$work/pg/data" -U postgres -A scram-sha-256 --pwfile="$work/pg/password" \
    --no-sync >"$work/initdb.log"
  as_postgres "$postgres/pg_ctl" -D "$work/pg/data" -l "$work/pg/log" -w start \
    -o "-p $pg_port -c listen_addresses=127.0.0.1 -c unix_socket_directories=" >"$work/pg_ctl.log"
  printf '%s;\n' 'create role latchkey_migrate login' 'create database latchkey owner latchkey_migrate' | sql postgres
  # What the manifest has CloudNativePG do.
  sed -n '/postInitApplicationSQL:/,/managed:/s/^ *- \(.*\)/\1;/p' k8s/components/postgres-cnpg/cluster.yaml | sql latchkey
  printf "alter role %s password 'dev';\n" latchkey latchkey_migrate | sql latchkey
}

sql() { # DATABASE
  PGPASSWORD=$(cat "$work/pg/password") psql -qtA -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$pg_port" -U postgres -d "$1"
}

confined=(--pull=never --network=host --read-only --read-only-tmpfs=false --tmpfs '/tmp:rw,size=32m' --user 10001:10001
  --cap-drop=ALL --security-opt=no-new-privileges --memory=512m --cpus=1 --no-healthcheck)

container() { # NAME COMMAND…
  local name=latchkey-$1-$$
  shift
  containers+=("$name")
  podman run -d --name "$name" "${confined[@]}" -v "$work/etc:/etc/latchkey:ro" \
    ${java_options:+-e "JAVA_TOOL_OPTIONS=$java_options"} "$IMAGE" "$@" >"$work/run.log" || fail "$name does not start"
}

# The exit status of a container that is run to its end.
status() { # ARGUMENT…
  local status=0
  timeout 180 podman run --rm "${confined[@]}" "$@" >"$work/status.log" 2>&1 || status=$?
  printf '%s' "$status"
}

settings() {
  cat >"$work/etc/latchkey.yaml" <<EOF
listen:
  port: $port
management:
  port: $health
ledger:
  url: jdbc:postgresql://127.0.0.1:$pg_port/latchkey
  user: latchkey
  password: "\${file:/etc/latchkey/ledger-password}"
  migrate: false
clients:
  - name: pipelines
    token-sha256: $(printf 'dev' | sha256sum | cut -d ' ' -f 1)
drain:
  delay: 1s
routes:
  - name: payments
    prefix: /payments
    downstream:
      url: http://127.0.0.1:$sandbox_port/payments
      deduplicates: 24h
EOF
  sed -e 's/user: latchkey$/user: latchkey_migrate/' "$work/etc/latchkey.yaml" >"$work/etc/migrate.yaml"
}

milliseconds() { date +%s%3N; }

# Waits until the URL answers 200, for three minutes: one CPU may meet a busy machine.
wait_for() { # NAME URL
  local began looks=0
  began=$(milliseconds)
  until curl -fsS -o "$work/out" -m 2 "$2" 2>"$work/curl.err"; do
    # Asking podman takes longer than a look.
    ((++looks % 20)) || [ "$(podman inspect --format '{{.State.Running}}' "$1")" = true ] || fail "$1 ended: $(podman logs --tail 3 "$1" 2>&1)"
    [ $(($(milliseconds) - began)) -lt 180000 ] || fail "$1 did not answer at $2: $(cat "$work/curl.err")"
    sleep 0.01
  done
}

call() { # PORT OUT [CURL-ARGUMENT…]
  local port=$1 out=$2
  shift 2
  curl -sS -m 60 -o "$work/$out.body" -D "$work/$out.head" -w '%{http_code}' "http://127.0.0.1:$port/payments" \
    -H 'Authorization: Bearer dev' -H 'Content-Type: application/json' -d '{"amount": 25.50, "currency": "EUR"}' "$@"
}

expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected $2, got $3"
  printf 'ok  %s: %s\n' "$1" "$3"
}

header() { # OUT NAME
  tr -d '\r' <"$work/$1.head" | sed -n "s/^$2: //Ip"
}

effects() { curl -sS -m 5 "http://127.0.0.1:$sandbox_port/effects" | sed 's/.*"total":\([0-9]*\).*/\1/'; }

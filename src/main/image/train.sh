# Makes Java's cache (AOT) while the image is built: the program runs as it will, with a PostgreSQL and a sandbox downstream
# of a quick start beside it, and takes what `latchkey torture` sends. When it ends, Java writes down what it has loaded.
#
#   bash train.sh CACHE OPTION…    OPTION: of Java; the collector must be the one that the image starts it with
set -euo pipefail

cache=$1
shift
app=/opt/latchkey
work=$(mktemp -d)
others=()

finish() {
  for process in "${others[@]}"; do
    kill "$process" || true
    wait "$process" || true
  done
  rm -rf "$work"
}
trap finish EXIT

# Whatever is not in training: soon over, and with the embedded PostgreSQL, which the image goes without.
latchkey=(java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$app/latchkey.jar:$app/lib/*:${0%/*}/lib/*" dev.latchkey.Main)

# Prints what the expression finds in what a process says, while it lives.
await() { # PROCESS FILE EXPRESSION
  local found
  while kill -0 "$1"; do
    found=$(sed -nE "s/$3/\\1/p" "$2")
    if [[ -n $found ]]; then
      printf '%s' "$found"
      return
    fi
    sleep 0.1
  done
  cat "$2" >&2
  return 1
}

"${latchkey[@]}" demo --port 0 --management-port 0 --sandbox-port 0 --data-dir "$work/ledger" >"$work/demo" 2>&1 &
others+=("$!")
sandbox=$(await "$!" "$work/demo" '^ +sandbox +(http:[^ ]+).*$')

export LATCHKEY_TOKEN=training
cat >"$work/latchkey.yaml" <<END
listen: { port: 0 }
management: { port: 0 }
ledger:
  url: jdbc:postgresql://127.0.0.1:$(sed -n 4p "$work/ledger/postgres/postmaster.pid")/postgres
  user: latchkey
  password: "\${file:$work/ledger/password}"
  lease-margin: 2s
clients:
  - name: training
    token-sha256: $(printf %s "$LATCHKEY_TOKEN" | sha256sum | cut -d ' ' -f 1)
drain: { delay: 0s, timeout: 10s }
routes:
  - name: notifications
    prefix: /notifications
    downstream: { url: "$sandbox/notifications", timeout: 1s, key: { value: none } }
END

# Without profiles in it: with them Java compiles all that was hot here at once, and a start on one CPU has no time for that.
unprofiled=(-XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining)
java "-XX:AOTCacheOutput=$cache" "${unprofiled[@]}" "$@" -jar "$app/latchkey.jar" serve --config "$work/latchkey.yaml" >"$work/log" 2>&1 &
trained=$!
port=$(await "$trained" "$work/log" '.*"port":"?([0-9]+).*')
management=$(await "$trained" "$work/log" '.*"management_port":"?([0-9]+).*')
"${latchkey[@]}" torture --config "$work/latchkey.yaml" --url "http://127.0.0.1:$port" --for 3s --callers 8
for path in /health/live /health/ready /metrics; do
  LATCHKEY_MANAGEMENT_PORT=$management bash "$app/healthy.sh" "$path"
done
kill "$trained"
wait "$trained" || { cat "$work/log"; exit 1; }
ls -l "$cache"

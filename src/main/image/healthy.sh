# The image's health check: 0 when the gateway is ready for calls. Bash, for the image has no HTTP client.
set -euo pipefail
exec 3<>"/dev/tcp/127.0.0.1/${LATCHKEY_MANAGEMENT_PORT:-9090}"
printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "${1:-/health/ready}" >&3
read -r answer <&3
printf '%s\n' "$answer"
[[ $answer == *' 200 '* ]]

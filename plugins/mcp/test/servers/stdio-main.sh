#!/bin/sh
# A server behind a wrapper and a relative path.
exec "$(dirname "$0")/../../../../node_modules/.bin/node" "$(dirname "$0")/stdio-main.ts" "$@"

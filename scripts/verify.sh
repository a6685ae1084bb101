#!/bin/sh
# Fails when a generated file is stale.
set -eu
cd "$(dirname "$0")/.."

fail() { echo "verify: $1" >&2; exit 1; }

before=$(cat go.mod go.sum | cksum)
go mod tidy
[ "$before" = "$(cat go.mod go.sum | cksum)" ] || fail "go.mod or go.sum is stale: run 'go mod tidy' and commit the result."
go mod verify >/dev/null || fail "a module in the cache differs from go.sum."

scripts/ensure-web.sh
go run ./scripts/thirdparty -check || fail "THIRD_PARTY_LICENSES.md is stale: run 'go run ./scripts/thirdparty' and commit the result."

go run ./scripts/ifsc -check || fail "the bank codes differ from those of their package: run 'go run ./scripts/ifsc' and commit the result."

go run ./scripts/messages -check || fail "the catalog of messages is stale."

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
scripts/contract/types.sh "$fresh/schema.d.ts" 2>"$fresh/log" || { cat "$fresh/log" >&2; fail "the contract's types cannot be generated."; }
cmp -s "$fresh/schema.d.ts" web/src/lib/api/schema.d.ts || fail "web/src/lib/api/schema.d.ts is stale: run 'make contract' and commit the result."

node web/scripts/messages.mjs "$fresh/messages.d.ts" || fail "the types of the messages cannot be generated."
cmp -s "$fresh/messages.d.ts" web/src/lib/strings/messages.d.ts || fail "web/src/lib/strings/messages.d.ts is stale: run 'npm run messages' in web and commit the result."

if git grep -nE '^(<<<<<<<|>>>>>>>)' -- . >/dev/null; then fail "a merge conflict is committed."; fi
echo "verify: all generated files are up to date"

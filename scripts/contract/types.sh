#!/bin/sh
# Writes the web's types of the contract into the given file.
set -eu
out=${1:?usage: scripts/contract/types.sh FILE}
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/../.."

document=$(mktemp -d)
trap 'rm -rf "$document"' EXIT
go run ./scripts/contract >"$document/openapi.json"
# A field with a default may be left out of a request: the generator would ask
# for it. Its chatter goes to stderr; the file is the answer.
cd web && npx --no-install openapi-typescript "$document/openapi.json" --default-non-nullable=false -o "$out" >&2

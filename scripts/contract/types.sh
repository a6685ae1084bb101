#!/bin/sh
# Generates the web's types of the contract into the given file.
set -eu
out=${1:?usage: scripts/contract/types.sh FILE}
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/../.."

document=$(mktemp -d)
trap 'rm -rf "$document"' EXIT
go run ./scripts/contract >"$document/openapi.json"
# A field with a default may be omitted in a request; by default the generator
# would require it. Its output goes to stderr.
cd web && npx --no-install openapi-typescript "$document/openapi.json" --default-non-nullable=false -o "$out" >&2

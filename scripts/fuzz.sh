#!/bin/sh
# Runs every fuzz target for the given time each.
set -eu
cd "$(dirname "$0")/.."
time=${1:-20s}
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
	dir=$(dirname "$file")
	grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$file" | sed 's/^func //' | while read -r target; do
		echo "fuzz: $dir $target for $time"
		CGO_ENABLED=0 go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$dir" </dev/null
	done
done

#!/bin/sh
# Runs the tests with concurrency under the race detector. It needs cgo and makes SQLite,
# which is Go too, ten times slower: tests that are the same on both databases run on
# PostgreSQL only. Memory is not measured, because the detector uses some.
set -eu
cd "$(dirname "$0")/.."
POSTGRES_BIN=$(scripts/ensure-postgres.sh)
export POSTGRES_BIN CGO_ENABLED=1

# race RUN SKIP PACKAGES...: a part of a pattern that matches no test is an error, so
# that a renamed test is not skipped unnoticed.
race() {
	run=$1 skip=$2
	shift 2
	names=$(for package; do cat "$package"/*_test.go; done | grep -oE '^func (Test|Fuzz)[A-Za-z0-9_]*')
	echo "$run|$skip" | tr '|' '\n' | sed 's,/.*,,' | while read -r part; do
		[ -z "$part" ] || echo "$names" | grep -qE "$part" || { echo "race: no test of $* is called $part" >&2; exit 1; }
	done
	go test -vet=off -race -short -count=1 -timeout 30m -run "$run" -skip "$skip" "$@"
}

if [ "${1:-}" = all ]; then
	race . 'FullDisk|VerifyNames|TakeNoMemory|/sqlite' ./internal/platform/clock ./internal/api/httpx ./internal/core/job ./internal/core/ledger ./internal/core/tree ./internal/store ./internal/store/engine \
		./internal/app ./internal/people/auth ./internal/cash/cashier ./internal/core/mail ./internal/cash/payout
else
	# Of ledger and tree, not the tests in which one caller asks after the other; of the
	# store and the whole site, those in which callers meet.
	race . 'VerifyNames|FullDisk|OnAChangedHead|AgreesWithAWalk|ReadByPages|CheckNames|TakeNoMemory|/sqlite' \
		./internal/platform/clock ./internal/api/httpx ./internal/core/job ./internal/core/ledger ./internal/core/tree
	race 'AtOnce' '' ./internal/store
	race 'Checkpoint|Conforms' '/sqlite' ./internal/store/engine
	race 'Concurrent|KnownToAStandby' '/sqlite' ./internal/app
fi

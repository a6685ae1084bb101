#!/bin/sh
# Checks the dependencies for known vulnerabilities: govulncheck for Go, npm audit for
# the web. Exits 0 without findings, 1 with a finding, 2 when a check failed, and 3 when
# a database could not be reached, so that the result is unknown.
set -u
NAME=audit
# shellcheck source=scripts/lib.sh
. "$(dirname -- "$0")/lib.sh"

VULNCHECK=golang.org/x/vuln/cmd/govulncheck@v1.8.0
found=0 failed=0 unasked=0

new_log
cd "$ROOT" || die "cannot enter $ROOT"
GOBIN=$TOOLS/bin GOFLAGS='' logged go install "$VULNCHECK" || die "govulncheck could not be built (see $LOG): check that Go's module proxy can be reached."
go=$("$TOOLS/bin/govulncheck" ./cmd/bifolia 2>&1)
case $? in
0) say "Go: no known vulnerability is reached" ;;
3)
	printf '%s\n' "$go"
	say "Go: known vulnerabilities are reached (above)"
	found=1
	;;
*)
	printf '%s\n' "$go" >>"$LOG"
	# govulncheck has one exit status for all that goes wrong. A build error may
	# name addresses that cannot be reached, too.
	if printf '%s\n' "$go" | grep -q '^govulncheck: fetching vulnerabilities: '; then
		say "Go: the database of vulnerabilities (vuln.go.dev) could not be asked: run this where it can be reached. Details are in $LOG."
		unasked=1
	else
		printf '%s\n' "$go"
		say "Go: the check failed (above): mend what it says and run this again"
		failed=1
	fi
	;;
esac

npm=$(cd web && npm audit --omit=dev --json 2>>"$LOG")
case $? in
0) say "npm: no known vulnerability in what the web ships" ;;
*)
	if printf '%s' "$npm" | grep -q '"auditReportVersion"'; then
		printf '%s\n' "$npm"
		say "npm: known vulnerabilities in what the web ships (above)"
		found=1
	else
		printf '%s\n' "$npm" >>"$LOG"
		say "npm: the registry's advisories could not be asked: run this where they can be reached. Details are in $LOG."
		unasked=1
	fi
	;;
esac

[ "$found" -eq 0 ] || exit 1
[ "$failed" -eq 0 ] || exit 2
[ "$unasked" -eq 0 ] || exit 3

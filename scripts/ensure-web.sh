#!/bin/sh
# Installs the web's npm packages, but only if package-lock.json (or the
# machine, for packages with native parts) changed since the last time.
set -eu
NAME=ensure-web
# shellcheck source=scripts/lib.sh
. "$(dirname -- "$0")/lib.sh"

WEB=$ROOT/web
STAMP=$WEB/node_modules/.stamp

[ -f "$WEB/package-lock.json" ] || die "web/package-lock.json is missing: run npm install in web once and commit it."
have npm || die "npm is not in PATH: install Node 20.19 or newer."

want="$(cat "$WEB/package.json" "$WEB/package-lock.json" | cksum) $(uname -sm) $(node -p process.versions.modules)"
if [ -f "$STAMP" ] && [ "$(cat "$STAMP")" = "$want" ]; then
	say "web/node_modules is up to date"
	exit 0
fi

new_log
say "installing the web's packages with npm ci"
# npm ci removes node_modules and the stamp first, so an interrupted installation
# does not count as done.
# No package may run an install script.
(cd "$WEB" && logged npm ci --ignore-scripts --no-audit --no-fund) ||
	die "npm ci failed in web (see $LOG): check the network and that package.json and package-lock.json agree."
printf '%s\n' "$want" >"$STAMP"

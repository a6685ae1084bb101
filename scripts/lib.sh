# shellcheck shell=sh
# Shared by the ensure-*.sh scripts; source it after setting NAME.
#
# stdout carries only the result (a path), for "$(scripts/ensure-x.sh)"; stderr
# carries one line about the action, or one sentence about why it failed.

ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
TOOLS=$ROOT/.tools
LOG=$TOOLS/log/$NAME.log

say() {
	printf '%s: %s\n' "$NAME" "$*" >&2
}

die() {
	say "$*"
	exit 1
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# logged runs a command and shows its output only if it fails.
logged() {
	mkdir -p "$(dirname "$LOG")"
	"$@" >>"$LOG" 2>&1 </dev/null
}

new_log() {
	mkdir -p "$(dirname "$LOG")"
	: >"$LOG"
}

# can_apt is true if packages can be installed without a prompt.
can_apt() {
	[ "$(id -u)" -eq 0 ] && have apt-get
}

apt_install() {
	logged env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
		logged env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

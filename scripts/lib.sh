# shellcheck shell=sh
# What the ensure-*.sh scripts share; source it after setting NAME.
#
# They keep one habit: stdout carries the answer (a path) and nothing else, so
# that a caller can write "$(scripts/ensure-x.sh)"; stderr carries one line
# about what is done, or the one sentence that says why it cannot be done.

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

# logged runs a command whose chatter matters only if it fails.
logged() {
	mkdir -p "$(dirname "$LOG")"
	"$@" >>"$LOG" 2>&1 </dev/null
}

new_log() {
	mkdir -p "$(dirname "$LOG")"
	: >"$LOG"
}

# can_apt is true where packages can be installed without asking anybody.
can_apt() {
	[ "$(id -u)" -eq 0 ] && have apt-get
}

apt_install() {
	logged env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
		logged env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

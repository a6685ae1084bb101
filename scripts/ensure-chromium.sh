#!/bin/sh
# Prints the path of a Chromium or Chrome for the browser tests and installs
# one if there is none: with apt as root, else Playwright's own. It prefers
# Chromium's headless shell, which takes a third less processor time.
#
#   CHROMIUM=path   use only this one
set -eu
NAME=ensure-chromium
# shellcheck source=scripts/lib.sh
. "$(dirname -- "$0")/lib.sh"

found() {
	say "using $1"
	printf '%s\n' "$1"
	exit 0
}

# runs checks more than the file: Ubuntu's chromium-browser only prints what else to
# install, and Playwright's may lack system libraries.
runs() {
	[ -n "$1" ] && [ -f "$1" ] && [ -x "$1" ] && "$1" --version >/dev/null 2>&1 </dev/null
}

look_for_shell() {
	for name in chromium-headless-shell chrome-headless-shell; do
		path=$(command -v "$name" || true)
		if runs "$path"; then found "$path"; fi
	done
}

look_in_system() {
	for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
		path=$(command -v "$name" || true)
		if runs "$path"; then found "$path"; fi
	done
	for app in Chromium "Google Chrome"; do
		for path in "/Applications/$app.app/Contents/MacOS/$app" "${HOME:-}/Applications/$app.app/Contents/MacOS/$app"; do
			if runs "$path"; then found "$path"; fi
		done
	done
}

# look_in_playwright asks Playwright where its browser would be.
look_in_playwright() {
	[ -d "$ROOT/web/node_modules/playwright-core" ] && have node || return 0
	path=$(node -p 'require(process.argv[1]).chromium.executablePath()' "$ROOT/web/node_modules/playwright-core" 2>/dev/null || true)
	if runs "$path"; then found "$path"; fi
}

shell_from_apt() {
	can_apt || return 0
	say "installing Chromium's headless shell with apt-get"
	if apt_install chromium-headless-shell; then look_for_shell; fi
}

from_apt() {
	can_apt || return 0
	say "installing Chromium with apt-get"
	if apt_install chromium; then look_in_system; fi
}

from_playwright() {
	have npx || return 0
	logged "$ROOT/scripts/ensure-web.sh" || return 0
	say "installing Chromium with Playwright"
	if logged npx --prefix "$ROOT/web" --no-install playwright install chromium; then look_in_playwright; fi
}

if [ -n "${CHROMIUM:-}" ]; then
	if runs "$CHROMIUM"; then found "$CHROMIUM"; fi
	die "CHROMIUM is $CHROMIUM, which does not run as a browser: correct or unset it."
fi
look_for_shell
new_log
shell_from_apt
look_in_system
look_in_playwright
from_apt
from_playwright
die "there is no Chromium and neither apt-get (as root) nor Playwright could install one (see $LOG): install Chromium or Chrome, or set CHROMIUM to its path."

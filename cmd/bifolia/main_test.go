package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"
)

// runAs makes the test binary behave as bifolia, so that tests can start the
// real process and send it real signals.
const runAs = "RUN_AS_BIFOLIA"

func TestMain(m *testing.M) {
	if os.Getenv(runAs) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// call runs the program in this process.
func call(t *testing.T, environ []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, fault bytes.Buffer
	code = run(t.Context(), args, environ, strings.NewReader(""), &out, &fault)
	return code, out.String(), fault.String()
}

func TestWithoutACommandOrWithHelpTheCommandsAreListed(t *testing.T) {
	for _, args := range [][]string{nil, {"help"}, {"--help"}, {"-h"}} {
		code, stdout, stderr := call(t, nil, args...)
		want := exitOK
		if args == nil {
			want = exitUsage
		}
		if code != want || stderr != "" {
			t.Errorf("%v: exit %d, stderr %q", args, code, stderr)
		}
		for _, c := range commands() {
			if !strings.Contains(stdout, c.name) || !strings.Contains(stdout, c.summary) {
				t.Errorf("%v: %s is not listed", args, c.name)
			}
		}
	}
}

func TestEveryCommandExplainsItselfOnStdout(t *testing.T) {
	for _, c := range commands() {
		for _, args := range [][]string{{c.name, "--help"}, {c.name, "-h"}, {"help", c.name}} {
			code, stdout, stderr := call(t, nil, args...)
			if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "Usage: bifolia "+c.name) {
				t.Errorf("%v: exit %d, stdout %q, stderr %q", args, code, stdout, stderr)
			}
		}
	}
}

func TestACommandThatDoesSeveralThingsNamesThemInItsHelp(t *testing.T) {
	for _, f := range []forms{payoutForms, planForms} {
		_, help, _ := call(t, nil, "help", f.name)
		code, _, wrong := call(t, nil, f.name, "abolish")
		if code != exitUsage || !strings.Contains(help, "--json") {
			t.Errorf("%s: exit %d, help %s", f.name, code, help)
		}
		for _, one := range f.all {
			if !strings.Contains(help, "  "+one.words+"\n        "+one.does+"\n") || !strings.Contains(wrong, one.words) {
				t.Errorf("%s: %q is not in %q and %q", f.name, one.words, help, wrong)
			}
		}
	}
}

func TestAnUnknownCommandIsOneSentenceWithTheNearestNames(t *testing.T) {
	for name, want := range map[string]string{
		"serv":    "There is no command \"serv\"; did you mean serve? Run \"bifolia help\" for the list.\n",
		"verison": "There is no command \"verison\"; did you mean version? Run \"bifolia help\" for the list.\n",
		"zzz":     "There is no command \"zzz\". Run \"bifolia help\" for the list.\n",
	} {
		code, stdout, stderr := call(t, nil, name)
		if code != 2 || stdout != "" || stderr != want {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", name, code, stdout, stderr)
		}
	}
}

func TestAFaultOfOurOwnIsOneSentenceWithoutAStack(t *testing.T) {
	table := []command{{name: "boom", run: func(context.Context, env) int { panic("no such leaf") }}}
	for _, c := range []struct {
		environ []string
		stack   bool
	}{{nil, false}, {[]string{"BIFOLIA_LOG_LEVEL=debug"}, true}} {
		var stderr bytes.Buffer
		code := runIn(t.Context(), table, []string{"boom"}, env{environ: c.environ, stderr: &stderr})
		got := stderr.String()
		if code != 1 || !strings.Contains(got, "no such leaf") || !strings.Contains(got, "log") {
			t.Errorf("exit %d: %s", code, got)
		}
		if strings.Contains(got, ".go:") != c.stack || (!c.stack && strings.Count(got, "\n") != 1) {
			t.Errorf("with %v: %s", c.environ, got)
		}
	}
}

func TestVersionPrintsReleaseCommitAndGo(t *testing.T) {
	version, commit = "1.2.3", "3fa9c1d"
	t.Cleanup(func() { version, commit = "", "" })
	for _, args := range [][]string{{"version"}, {"--version"}} {
		if code, stdout, _ := call(t, nil, args...); code != 0 || stdout != "bifolia 1.2.3 (commit 3fa9c1d, "+runtime.Version()+")\n" {
			t.Errorf("%v: exit %d, %q", args, code, stdout)
		}
	}
	_, stdout, _ := call(t, nil, "version", "--json")
	var got build
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || got != (build{"1.2.3", "3fa9c1d", runtime.Version()}) {
		t.Errorf("%q: %+v, %v", stdout, got, err)
	}
}

func TestAnUnnamedBuildHasAVersion(t *testing.T) {
	if b := readBuild(); b.Version == "" || b.Commit == "" || b.Go == "" {
		t.Errorf("got %+v", b)
	}
}

func TestWrongUsageExitsWithTwoAndNamesEveryMistake(t *testing.T) {
	code, stdout, stderr := call(t, []string{"BIFOLIA_LOG_LEVEL=loud"}, "serve", "--addr", "foo")
	want := "2 mistakes in the configuration:\n  --addr: \"foo\" is not HOST:PORT\n" +
		"  BIFOLIA_LOG_LEVEL: \"loud\" is not one of debug, info, warn, error\n"
	if code != 2 || stdout != "" || stderr != want {
		t.Errorf("exit %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"serve", "postgres://u:hunter22@h/db"}, {"version", "x"}, {"version", "--jsno"}} {
		code, stdout, stderr := call(t, nil, args...)
		if code != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, "hunter22") {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
}

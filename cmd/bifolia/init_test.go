package main

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// answers are the inputs of init, in order.
var answers = [][2]string{
	{"name", "First Member"},
	{"email", "first@bifolia.example"},
	{"mobile", "9876543210"},
	{"country", "99"},
	{"password", "correct-horse-1"},
	{"operator-email", "operator@bifolia.example"},
	{"operator-name", "Head Operator"},
	{"operator-password", "battery-staple-22"},
}

// initFlags are the answers as flags, some of them changed.
func initFlags(dir string, changed map[string]string) []string {
	args := []string{"init", "--data-dir", dir, "--log-level", "error"}
	for _, a := range answers {
		value := a[1]
		if other, ok := changed[a[0]]; ok {
			value = other
		}
		args = append(args, "--"+a[0], value)
	}
	if secret, ok := changed["operator-totp"]; ok {
		args = append(args, "--operator-totp", secret)
	}
	return args
}

var begun = regexp.MustCompile(`^The first member is [1-9][0-9]{5}\. The transaction password, told once: [a-z2-9]{10}\n` +
	`The operator operator@bifolia\.example signs in with the password and a code of an authenticator app\.\n` +
	`Its secret, told once: [A-Z2-7]{32}\nAs a link for the app: otpauth://totp/Bifolia:operator@bifolia\.example\?\S*secret=[A-Z2-7]{32}\S*\n` +
	`Recovery codes, each good once:\n(  [a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\n){10}$`)

// people counts the members and operators of an installation.
func people(t *testing.T, dir string) (members, operators int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRow("SELECT (SELECT COUNT(*) FROM member), (SELECT COUNT(*) FROM operator)").Scan(&members, &operators); err != nil {
		t.Fatal(err)
	}
	return members, operators
}

func TestInitMakesTheFirstMemberAndOperatorOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, stdout, stderr := call(t, nil, initFlags(dir, nil)...); code != 0 || !begun.MatchString(stdout) || stderr != "" {
		t.Fatalf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	code, stdout, stderr := call(t, nil, initFlags(dir, map[string]string{"operator-email": "other@bifolia.example"})...)
	if code != 1 || stdout != "" || stderr != "The tree has its first member already.\n" {
		t.Errorf("again: exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if members, operators := people(t, dir); members != 1 || operators != 1 {
		t.Errorf("there are %d members and %d operators", members, operators)
	}
}

func TestInitPromptsForMissingFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var typed strings.Builder
	for i, a := range answers {
		if a[0] == "country" {
			continue // a flag gives it
		}
		typed.WriteString(a[1])
		if i%2 == 0 {
			typed.WriteByte('\r')
		}
		if i < len(answers)-1 {
			typed.WriteByte('\n') // the last line may end with the input
		}
	}
	var stdout, stderr bytes.Buffer
	args := []string{"init", "--data-dir", dir, "--log-level", "error", "--country", "99"}
	if code := run(t.Context(), args, nil, strings.NewReader(typed.String()), &stdout, &stderr); code != 0 || !begun.MatchString(stdout.String()) {
		t.Fatalf("exit %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
	asked := stderr.String()
	if !strings.Contains(asked, "Operator's password: ") || strings.Contains(asked, "country") || strings.Contains(asked, "correct-horse-1") {
		t.Errorf("it asked %q", asked)
	}
	stderr.Reset()
	if code := run(t.Context(), args, nil, strings.NewReader("First Member\n"), &stdout, &stderr); code != 2 || !strings.Contains(stderr.String(), "There is no answer for --email.") {
		t.Errorf("with too few answers: exit %d, stderr %q", code, stderr.String())
	}
}

func TestInitNamesInvalidInputAndCreatesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		changed map[string]string
		want    []string
	}{
		{map[string]string{"password": "short"}, []string{"password: Password must be at least 6 characters"}},
		{map[string]string{"password": "only-nine"}, []string{"password: Password must be at least 10 characters"}},
		{map[string]string{"password": "First Member"}, []string{"password: Password must not be made of your user id, name, e-mail or mobile number"}},
		{map[string]string{"password": "aaaaaaaaaaaa"}, []string{"password: Password is easy to guess"}},
		{map[string]string{"operator-password": "only-nine"}, []string{"operator password: Password must be at least 10 characters"}},
		{map[string]string{"operator-password": "operator@bifolia.example"}, []string{"operator password: Password must not be made of your user id, name, e-mail or mobile number"}},
		{map[string]string{"operator-totp": "ABC"}, []string{"totp: The secret is 16 to 64 bytes in base32"}},
		{map[string]string{"operator-email": "nobody"}, []string{"operator email: The e-mail is not an address."}},
		{map[string]string{"email": "m@example.test"}, []string{"email: Please enter a valid email address: as at sign-up, with three characters or more before the @"}},
		{map[string]string{"email": "x", "mobile": "1", "operator-name": " "}, []string{
			"email: Please enter a valid email address", "mobile: Enter Valid Mobile Number !!", "operator name: The name has 1 to 60 characters.",
		}},
	} {
		code, stdout, stderr := call(t, nil, initFlags(dir, c.changed)...)
		for _, want := range c.want {
			if code != 1 || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%v: exit %d, stdout %q, stderr %q; want %q", c.changed, code, stdout, stderr, want)
			}
		}
		if secret := c.changed["password"]; secret != "" && strings.Contains(stderr, secret) {
			t.Errorf("it tells the password: %q", stderr)
		}
	}
	if code, _, stderr := call(t, nil, "init", "--data-dir", dir, "extra"); code != 2 || !strings.Contains(stderr, "init takes flags only") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	if code, stdout, stderr := call(t, nil, initFlags(dir, nil)...); code != 0 || !begun.MatchString(stdout) {
		t.Errorf("then all is right: exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func TestInitIsRefusedWhileAServerRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startServe(t, "--data-dir", dir)
	code, stdout, stderr := call(t, nil, initFlags(dir, nil)...)
	if code != 1 || stdout != "" || !strings.Contains(stderr, "Another Bifolia process writes to this database: stop it first.") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = p.wait(t)
	if members, operators := people(t, dir); members != 1 || operators != 1 {
		t.Errorf("there are %d members and %d operators", members, operators)
	}
}

func TestADemoStartsUnattendedAndPrintsItsPasswordsOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	told := regexp.MustCompile(`first member +[0-9]{6}, password [a-z0-9]{16}, transaction password [a-z2-9]{10}\n +operator +operator@demo\.example, password [a-z0-9]{16}, authenticator secret [A-Z2-7]{32}\n`)
	for i, want := range []bool{true, false} {
		p := startServe(t, "--data-dir", dir, "--demo", "true", "--demo-history", "false")
		if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if code, _ := p.wait(t); code != 0 || told.MatchString(p.stderr.String()) != want {
			t.Errorf("start %d: exit %d, stderr:\n%s", i+1, code, &p.stderr)
		}
	}
	if members, operators := people(t, dir); members != 1 || operators != 1 {
		t.Errorf("there are %d members and %d operators", members, operators)
	}
}

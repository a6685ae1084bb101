package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/tools/demo"
)

func TestPayoutBatchesAreWorkedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := call(t, nil, brief(dir)...); code != 0 {
		t.Fatalf("demo: exit %d, %s", code, stderr)
	}
	list := filepath.Join(t.TempDir(), "list.csv")
	run := func(want int, words string, args ...string) string {
		t.Helper()
		code, stdout, stderr := call(t, nil, append(append([]string{"payout"}, args...), "--data-dir", dir, "--demo", "--log-level", "error")...)
		if code != want || !strings.Contains(stdout+stderr, words) {
			t.Errorf("payout %v: exit %d, %q, %q; want %d, %q", args, code, stdout, stderr, want, words)
		}
		return stdout
	}
	for _, args := range [][]string{{}, {"abolish"}, {"list", "1"}, {"show"}, {"show", "x"}, {"make", "0"}, {"export", list}, {"export", "--batch", "1"}, {"import", list, "--batch", "-1"}, {"list", "--way", "hot"}, {"approve", "1"}, {"approve", "1", "--digest", "1"}, {"list", "--digest", "1"}, {"send", "1"}} {
		run(2, "payout takes one of", args...)
	}
	run(0, "0 of 0 batches.", "list")
	run(1, "There is no payout batch 1", "show", "1")
	run(1, "There is no hot wallet", "make", "--way", "hot")
	run(1, "The way is hot or manual", "make", "--way", "pigeon")
	run(0, "Batch 1 is proposed", "make")
	run(1, "No approved withdrawal can be paid now", "make")
	run(1, "Payout batch 1 is proposed", "export", list, "--batch", "1")
	if _, err := os.Stat(list); err == nil {
		t.Error("a refused export left a file")
	}
	run(0, "at the command line\n1 of 1 batches.", "list")

	run(1, "No chain is configured", "send")
	shown := regexp.MustCompile(`digest: +([0-9a-f]{64})`).FindStringSubmatch(run(0, `"kind":"payout batch","network":"USDT (BEP-20)"`, "show", "1"))
	if shown == nil {
		t.Fatal("show shows no digest")
	}
	approvedByAnOperator(t, dir, shown[1])
	run(0, "is written to", "export", list, "--batch", "1")
	run(1, "cannot be written", "export", list, "--batch", "1") // it may hold hashes by now
	raw, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if out := run(0, "id,uid,address,amount,hash", "export", "-", "--batch", "1"); out != string(raw) {
		t.Errorf("on stdout it is %q, in the file %q", out, raw)
	}
	hash := "0x" + strings.Repeat("ab", 32)
	paid := regexp.MustCompile(`(?m),\r$`).ReplaceAllString(strings.Join(strings.SplitAfter(string(raw), "\n")[:2], ""), ","+hash+"\r")
	if err := os.WriteFile(list, []byte(strings.Replace(paid, hash, "0x1", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	run(1, "line 2: ", "import", list, "--batch", "1")
	if err := os.WriteFile(list, []byte(paid), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "1 hashes of batch 1 are new", "import", list, "--batch", "1")
	run(0, "0 hashes of batch 1 are new", "import", list, "--batch", "1")
	run(0, hash, "show", "1")
	var by int64
	var name string
	query(t, dir, "SELECT operator, name FROM trail ORDER BY no DESC LIMIT 1", &by, &name)
	if by != 0 || !strings.HasSuffix(name, "at the command line") {
		t.Errorf("recorded is %d, %q", by, name)
	}
}

// approvedByAnOperator approves batch 1 as the demo's operator, by the console's rules: in
// a demo one operator is enough.
func approvedByAnOperator(t *testing.T, dir, digest string) {
	t.Helper()
	who, err := demo.Who()
	if err != nil {
		t.Fatal(err)
	}
	approve := func(want int, words, password, digest string, ahead time.Duration) {
		t.Helper()
		approveOne(t, dir, approval{want, words, password, digest, ahead}, nil)
	}
	approve(1, "Invalid e-mail, password or code", "not the password", digest, 0)
	approve(1, "has changed", who.Operator.Password, strings.Repeat("0", 64), 0) // a code is taken once
	approve(0, "Batch 1 is approved by "+who.Operator.Email, who.Operator.Password, digest, 30*time.Second)
	var open int64
	query(t, dir, "SELECT COUNT(*) FROM session WHERE kind = 'operator' AND ended_at = 0 AND agent LIKE '%command line%'", &open)
	if open != 0 {
		t.Errorf("%d sessions were left open", open)
	}
}

// approval is an attempt to approve batch 1, and the expected message.
type approval struct {
	want                    int
	words, password, digest string
	ahead                   time.Duration // of the code
}

// approveOne tries to approve batch 1 as the demo's operator.
func approveOne(t *testing.T, dir string, a approval, environ []string, flags ...string) {
	t.Helper()
	who, err := demo.Who()
	if err != nil {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(who.Operator.TOTPSecret, clock.System().Now().Add(a.ahead))
	if err != nil {
		t.Fatal(err)
	}
	var out, fault bytes.Buffer
	args := append([]string{"payout", "approve", "1", "--digest", a.digest, "--operator", who.Operator.Email, "--data-dir", dir, "--demo", "--log-level", "error"}, flags...)
	if got := run(t.Context(), args, environ, strings.NewReader(a.password+"\n"+code+"\n"), &out, &fault); got != a.want || !strings.Contains(out.String()+fault.String(), a.words) {
		t.Errorf("approve: exit %d, %q, %q; want %d, %q", got, out.String(), fault.String(), a.want, a.words)
	}
}

// A hot batch is paid from the command line as by the server, and once.
func TestAnApprovedHotBatchIsSentFromTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := call(t, nil, brief(dir)...); code != 0 {
		t.Fatalf("demo: exit %d, %s", code, stderr)
	}
	c := chaintest.Start(t)
	token, node := c.Deploy(t, 18), c.Serve(t)
	key, wallet := chaintest.Wallet(t)
	c.Transfer(t, token, wallet, chaintest.Units(18, 100_000))
	c.Gas(t, wallet)
	c.Mine(1)
	environ := []string{"BIFOLIA_HOT_WALLET_KEY=" + key}
	chained := []string{"--chain-rpc-urls", node.URL, "--chain-allow-private", "--chain-id", strconv.FormatInt(chaintest.ID, 10), "--chain-token", token, "--chain-confirmations", "2"}
	do := func(words string, args ...string) string {
		t.Helper()
		code, stdout, stderr := call(t, environ, append(append(append([]string{"payout"}, args...), "--data-dir", dir, "--demo", "--log-level", "error"), chained...)...)
		if code != 0 || !strings.Contains(stdout, words) {
			t.Fatalf("payout %v: exit %d, %q, %q", args, code, stdout, stderr)
		}
		return stdout
	}
	do("Batch 1 is proposed", "make", "--way", "hot")
	do("proposed, hot", "send") // unapproved batches are not paid
	if n := node.Calls("eth_sendRawTransaction"); n != 0 {
		t.Fatalf("%d transactions were sent", n)
	}
	shown := regexp.MustCompile(`digest: +([0-9a-f]{64})`).FindStringSubmatch(do(fmt.Sprintf("chain %d", chaintest.ID), "show", "1"))
	who, err := demo.Who()
	if err != nil || shown == nil {
		t.Fatal(shown, err)
	}
	approveOne(t, dir, approval{0, "Batch 1 is approved", who.Operator.Password, shown[1], 0}, environ, chained...)
	do("approved, hot", "send")
	c.Mine(2)
	do("done, hot", "send")
	do("done, hot", "send")
	var paid, payouts int64
	var address string
	query(t, dir, "SELECT COUNT(*), MIN(address) FROM payout WHERE state = 'confirmed'", &payouts, &address)
	query(t, dir, "SELECT SUM(amount) FROM payout WHERE address = '"+address+"'", &paid)
	if want := new(big.Int).Mul(big.NewInt(paid), big.NewInt(1_000_000_000_000)); payouts == 0 || c.Balance(t, token, address).Cmp(want) != 0 {
		t.Errorf("%d payouts; %s has %s, want %s", payouts, address, c.Balance(t, token, address), want)
	}
}

// change changes stored data outside the program.
func change(t *testing.T, dir, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

//go:build !race

// The race run skips these tests: they have no concurrency, and the in-process chain is a
// quarter of all packages to compile.

package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/depositwatch"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// chainSite is a site with a chain.
type chainSite struct {
	*site
	chain                  *chaintest.Chain
	nodes                  []*chaintest.Node
	token, company, wallet string
	hotKey                 string
	args                   []string
}

const deep = 3

func openChainSite(t *testing.T, dsn string, more ...string) *chainSite {
	t.Helper()
	c := &chainSite{chain: chaintest.Start(t)}
	c.token = c.chain.Deploy(t, 18)
	c.nodes = []*chaintest.Node{c.chain.Serve(t), c.chain.Serve(t)}
	c.chain.NotBefore(t, testkit.Epoch.Add(time.Hour))
	_, c.company = chaintest.Wallet(t)
	c.hotKey, c.wallet = chaintest.Wallet(t)
	path := filepath.Join(t.TempDir(), "wallet.key")
	if err := os.WriteFile(path, []byte(c.hotKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.chain.Transfer(t, c.token, c.wallet, chaintest.Units(18, 1000))
	c.chain.Gas(t, c.wallet)
	c.args = append([]string{
		"--chain-rpc-urls", c.nodes[0].URL + "," + c.nodes[1].URL, "--chain-allow-private", "true", "--chain-id", strconv.Itoa(chaintest.ID),
		"--chain-token", c.token, "--chain-receiver", c.company, "--chain-confirmations", strconv.Itoa(deep), "--hot-wallet-key-file", path,
	}, more...)
	c.site = openSite(t, dsn, c.args...)
	return c
}

// look runs the watcher once. Time passes, so that waiting work is due.
func (c *chainSite) look() {
	c.t.Helper()
	c.clock.Advance(2 * time.Minute)
	if err := c.watch.Run(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// freshWatch is the watcher of a server that has just started.
func (c *chainSite) freshWatch() *depositwatch.Service { return depositwatch.New(c.watching) }

func (c *chainSite) pay() {
	c.t.Helper()
	if err := c.services.Payout.Run(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// request is the only fund request with a hash, as operators see it.
func (c *chainSite) request(operator client, hash string) m {
	c.t.Helper()
	for _, r := range operator.get("operator/fundRequests").rows() {
		if r.(m)["utrno"] == strings.ToLower(hash) {
			return r.(m)
		}
	}
	c.t.Fatalf("there is no request of %s", hash)
	return nil
}

func TestClaimedDepositIsLookedUpOnTheChain(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		fund := "L:FUND:FOREXFUNDS:" + id(me.uid)
		paid := s.chain.Transfer(t, s.token, s.company, chaintest.Units(18, 100))
		short := s.chain.Transfer(t, s.token, s.company, chaintest.Units(18, 99))
		for _, hash := range []string{paid, short} {
			if got := me.post("FundRequest", usdt(me.uid, "100", " "+strings.ToUpper(hash)+" ")).word(); got != "success" {
				t.Fatalf("it answered %s", got)
			}
		}
		says := func(hash, state, verdict string) {
			t.Helper()
			s.shows(state, s.request(operator, hash), m{"st": state, "verdict": verdict})
		}
		s.look()
		says(paid, "Pending", "The chain does not know this transaction yet.")
		s.chain.Mine(1)
		s.nodes[1].Set(chaintest.Down)
		s.look()
		says(paid, "Pending", "The chain cannot be asked just now.")
		s.nodes[1].Set(nil)
		s.look()
		says(paid, "Pending", "Waiting for confirmations: 1 of 3.")
		says(short, "Pending", "It paid 99, which is less than the 100 of the request.")
		s.chain.Mine(deep - 1)
		s.look()
		says(paid, "Pending", "100 arrived, with 3 confirmations. Anybody can name a transaction: an operator decides.")
		finding, _ := s.request(operator, paid)["verdictText"].(m)
		params, _ := finding["params"].(m)
		if finding["code"] != "fund.verdict_named" || params["finding.code"] != "chain.arrived" || params["finding.amount"] != "100" {
			t.Errorf("the verdict has the code %v and the values %v", finding["code"], params)
		}
		mine := me.post("FundRequestHistory", m{"uid": id(me.uid)}).rows()
		if told, _ := mine[len(mine)-1].(m)["remarkText"].(m); told["code"] != "fund.verdict_named" {
			t.Errorf("the member's row is %v", mine)
		}
		says(short, "Pending", "It paid 99, which is less than the 100 of the request.")
		s.has(fund, "0")
		asked := s.nodes[0].Calls("eth_getTransactionReceipt")
		s.look() // nothing new will be heard
		if again := s.nodes[0].Calls("eth_getTransactionReceipt"); again != asked {
			t.Errorf("the chain was asked %d times for nothing", again-asked)
		}
		operator.post("operator/fundRequests/approve", m{"id": s.request(operator, paid)["id"]}).into(&m{})
		operator.post("operator/fundRequests/reject", m{"id": s.request(operator, short)["id"], "remark": "99 came"}).into(&m{})
		s.look()
		s.has(fund, "100")
		if got := me.post("FundRequest", usdt(me.uid, "100", paid)).word(); !strings.Contains(got, "was used before") {
			t.Errorf("a hash twice: %s", got)
		}
		s.verified()
	})
}

func TestDepositFromAnotherMembersWalletIsShownToOperators(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		s.command(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := s.services.Members.UpdateWallet(ctx, tx, s.root.UID, member.Wallet(s.chain.Rich()), tx.Now())
			return err
		})
		paid := s.chain.Transfer(t, s.token, s.company, chaintest.Units(18, 100))
		if got := me.post("FundRequest", usdt(me.uid, "100", paid)).word(); got != "success" {
			t.Fatalf("it answered %s", got)
		}
		s.chain.Mine(deep)
		s.look()
		row := s.request(operator, paid)
		if row["st"] != "Pending" || row["remark"] != "" || !strings.Contains(row["verdict"].(string), "another member") {
			t.Fatalf("%v", row)
		}
		if mine := me.post("FundRequestHistory", m{"uid": id(me.uid)}).rows()[0].(m); mine["remark"] != row["verdict"] {
			t.Errorf("the member reads %v", mine["remark"])
		}
		release := m{"id": row["id"], "remark": "The payer has shown the wallet"}
		if got := operator.post("operator/fundRequests/release", release).status; got != http.StatusConflict {
			t.Errorf("one that waits is released: %d", got)
		}
		operator.post("operator/fundRequests/reject", m{"id": row["id"], "remark": "Not yours"}).into(&m{})
		if got := me.post("FundRequest", usdt(me.uid, "100", paid)).word(); !strings.Contains(got, "was used before") {
			t.Errorf("rejected, and asked again: %s", got)
		}
		if got := operator.post("operator/fundRequests/release", m{"id": row["id"]}).status; got != http.StatusUnprocessableEntity && got != http.StatusBadRequest {
			t.Errorf("released without a reason: %d", got)
		}
		operator.post("operator/fundRequests/release", release).into(&m{})
		if got := operator.post("operator/fundRequests/release", release).status; got != http.StatusConflict {
			t.Errorf("released twice: %d", got)
		}
		if got := me.post("FundRequest", usdt(me.uid, "100", paid)).word(); got != "success" {
			t.Fatalf("released, and asked again: %s", got)
		}
		s.verified()
	})
}

func TestOldDepositOfSomebodyElseIsNotCredited(t *testing.T) {
	t.Parallel()
	s := openChainSite(t, testkit.SQLite(t))
	old := s.chain.Transfer(t, s.token, s.company, chaintest.Units(18, 100))
	s.chain.Mine(deep)
	s.clock.Advance(100 * 365 * 24 * time.Hour) // Anna joins long after
	operator := s.hire(auth.RoleFinance)
	me, _ := s.anna()
	if got := me.post("FundRequest", usdt(me.uid, "100", old)).word(); got != "success" {
		t.Fatalf("it answered %s", got)
	}
	s.look()
	if row := s.request(operator, old); row["st"] != "Pending" || !strings.Contains(row["verdict"].(string), "too early") {
		t.Errorf("%v", row)
	}
	s.has("L:FUND:FOREXFUNDS:"+id(me.uid), "0")
}

func TestHotWalletPaysAWithdrawal(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		me, _ := s.earner("100")
		maker, checker := s.hire(auth.RoleFinance), s.hire(auth.RoleFinance)
		number := me.withdraw("LevelIncome", "40")
		maker.post("operator/payouts/propose", m{"way": "hot"}).refused(http.StatusNotFound)
		maker.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		maker.post("operator/payouts/propose", m{"way": "elsewhere"}).names("way")
		var batch struct {
			Data struct {
				ID    int64
				Total string
			}
		}
		maker.post("operator/payouts/propose", m{"way": "hot"}, "Idempotency-Key", "p").into(&batch)
		maker.post("operator/withdrawals/reject", m{"id": number, "remark": "no"}).refused(http.StatusConflict)
		maker.post("operator/withdrawals/sent", m{"id": number, "hash": someHash}).refused(http.StatusConflict)
		checker.post("operator/payouts/approve", m{"batch": batch.Data.ID, "digest": "1"}).refused(http.StatusUnprocessableEntity)
		var seen struct {
			Data struct{ Payload, Digest string }
		}
		checker.get("operator/payouts/batch?batch=" + id(batch.Data.ID)).into(&seen)
		if !strings.Contains(seen.Data.Payload, annasWallet) {
			t.Errorf("%s does not say who is paid", seen.Data.Payload)
		}
		checker.post("operator/payouts/approve", m{"batch": batch.Data.ID, "digest": seen.Data.Digest}).into(&m{})
		s.pay()
		s.chain.Mine(1)
		maker.post("operator/withdrawals/failed", m{"id": number, "remark": "no"}).refused(http.StatusConflict)
		maker.post("operator/payouts/return", m{"batch": batch.Data.ID, "id": number, "reason": "no"}).refused(http.StatusConflict)
		s.pay()
		s.chain.Mine(deep)
		s.pay()
		row := me.report("WithdrawlHistory", nil).Data[0][0]
		if row["ss"] != "Confirmed" || len(row["hash"].(string)) != 66 {
			t.Errorf("%v", row)
		}
		units := s.chain.Balance(t, s.token, annasWallet)
		if net := money.MustParse(batch.Data.Total); units.String() != strconv.FormatInt(net.Micros(), 10)+"000000000000" {
			t.Errorf("Anna got %s, not %s", units, net)
		}
		if got := s.mailedStates(number); got != "Confirmed Sent Approved Pending" {
			t.Errorf("the member heard of %s", got)
		}
		s.has("L:INCOME:LevelIncome:"+id(me.uid), "60")
		s.shows("the batch", checker.get("operator/payouts").rows()[0].(m), m{"state": "done", "way": "hot"})
		var chain struct {
			Data struct {
				Configured bool
				Wallet     string `json:"hot_wallet"`
				Trouble    string
				Nodes      []struct{ Up bool }
			}
		}
		checker.get("operator/chain").into(&chain)
		if d := chain.Data; !d.Configured || d.Wallet != s.wallet || d.Trouble != "" || len(d.Nodes) != 2 || !d.Nodes[0].Up || !d.Nodes[1].Up {
			t.Errorf("%+v", chain)
		}
		s.verified()
	})
}

func TestReadableWalletKeyPreventsStart(t *testing.T) {
	t.Parallel()
	key, _ := chaintest.Wallet(t)
	path := filepath.Join(t.TempDir(), "wallet.key")
	if err := os.WriteFile(path, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := testConfig(t, "--db", testkit.SQLite(t), "--chain-rpc-urls", "https://node.example", "--hot-wallet-key-file", path)
	_, err := New(t.Context(), cfg, testkit.Log())
	if err == nil || !strings.Contains(err.Error(), "chmod 600") || strings.Contains(err.Error(), key) {
		t.Errorf("%v", err)
	}
}

package payout_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	needed = 3
	ann    = 100_001
)

var (
	maker   = actor.By{Operator: 1, Name: "maker@bifolia.example"}
	checker = actor.By{Operator: 2, Name: "checker@bifolia.example"}
)

// counter is the cashier's part in payouts without mail and waiting times: both
// have tests of their own, and the app's use the cashier itself.
type counter struct {
	w *withdrawal.Service
	m *member.Service
}

func (c counter) Payable(ctx context.Context, tx *ledger.Tx, limit int64) ([]withdrawal.Withdrawal, error) {
	return c.w.Payable(ctx, tx, testkit.Epoch.Add(1000*time.Hour), limit)
}

func (c counter) MayLeave(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error {
	m, _, err := c.m.GetIn(ctx, tx, w.UID)
	if err == nil && m.Blocked() {
		err = errs.New(errs.Refused, "test.error", "Member {uid} is under review.", "uid", w.UID)
	}
	return err
}

func (c counter) SetBatch(ctx context.Context, tx *ledger.Tx, id, batch int64) (withdrawal.Withdrawal, error) {
	return c.w.SetBatch(ctx, tx, id, batch, tx.Now())
}

func (c counter) SentIn(ctx context.Context, tx *ledger.Tx, _ actor.By, id int64, hash string) error {
	_, err := c.w.Sent(ctx, tx, id, hash, tx.Now())
	return err
}

func (c counter) FailedIn(ctx context.Context, tx *ledger.Tx, _ actor.By, id int64, why string) error {
	_, err := c.w.Failed(ctx, tx, id, why)
	return err
}

func (c counter) ConfirmIn(ctx context.Context, tx *ledger.Tx, _ actor.By, id int64) error {
	_, err := c.w.Confirm(ctx, tx, id)
	return err
}

// funded is a chain with the token and a hot wallet that has some.
type funded struct {
	*chaintest.Chain
	node        *chaintest.Node
	token       string
	key, wallet string
}

func fundedChain(t *testing.T) *funded {
	t.Helper()
	f := &funded{Chain: chaintest.Start(t)}
	f.token, f.node = f.Deploy(t, 18), f.Serve(t)
	f.NotBefore(t, testkit.Epoch.Add(time.Hour))
	f.newWallet(t)
	return f
}

// newWallet gives the server another hot wallet, with $1,000 and gas.
func (f *funded) newWallet(t *testing.T) {
	t.Helper()
	f.key, f.wallet = chaintest.Wallet(t)
	f.Transfer(t, f.token, f.wallet, chaintest.Units(18, 1000))
	f.Gas(t, f.wallet)
}

func client(t *testing.T, url, token, key string) *chain.Client {
	t.Helper()
	k, err := chain.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chain.Open(chain.Options{
		URLs: []string{url}, AllowPrivate: true, ChainID: chaintest.ID, Token: token, Confirmations: needed, Timeout: 5 * time.Second,
		Clock: clock.System(), Log: testkit.Log(), Key: k, MaxGasPrice: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// books are the parts of the program that payouts need, on one database.
type books struct {
	t           *testing.T
	l           *testkit.Ledger
	withdrawals *withdrawal.Service
	members     *member.Service
	opt         payout.Options
	*payout.Service
}

func openBooks(t *testing.T, l *testkit.Ledger, c payout.Chain, change ...func(*payout.Options)) *books {
	t.Helper()
	b := &books{t: t, l: l, withdrawals: withdrawal.New(withdrawal.Options{Store: l.DB.Withdrawal()}), members: member.New(member.Options{Store: l.DB.Member()})}
	b.opt = payout.Options{
		Do: l, Store: l.DB.Payout(), Withdrawals: b.withdrawals, Cashier: counter{b.withdrawals, b.members}, AuditLog: auditlog.New(auditlog.Options{Do: l, Store: l.DB.AuditLog(), Clock: l.Clock}),
		Chain: c, DailyCap: money.MustParse("500"), Log: testkit.Log(),
		Others: func(context.Context, *ledger.Tx, int64) (int, error) { return 1, nil },
	}
	for _, f := range change {
		f(&b.opt)
	}
	b.Service = payout.New(b.opt)
	return b
}

func (b *books) command(run func(ctx context.Context, tx *ledger.Tx) error) {
	b.t.Helper()
	if err := b.try(run); err != nil {
		b.t.Fatal(err)
	}
}

func (b *books) try(run func(ctx context.Context, tx *ledger.Tx) error) error {
	_, err := b.l.Do(context.Background(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	return err
}

// join makes a member with deposited money.
func (b *books) join(uid int64, dollars string) {
	b.t.Helper()
	b.command(func(ctx context.Context, tx *ledger.Tx) error {
		name := strconv.FormatInt(uid, 10)
		if err := b.members.Add(ctx, tx, member.Member{UID: uid, Name: "Member " + name, Email: name + "@example.org", JoinedAt: tx.Now()}); err != nil {
			return err
		}
		return fund.Deposit(tx, uid, fund.Robot, money.MustParse(dollars), "d"+name)
	})
}

// asked is a withdrawal that waits for an operator.
func (b *books) asked(uid int64, dollars, address string) (id int64) {
	b.t.Helper()
	b.command(func(ctx context.Context, tx *ledger.Tx) error {
		a := money.MustParse(dollars)
		w, err := b.withdrawals.Ask(ctx, tx, withdrawal.Withdrawal{UID: uid, Wallet: withdrawal.FundBalance, Type: withdrawal.USDT, Amount: a, Net: a, Address: address}, nil)
		id = w.ID
		return err
	})
	return id
}

// approve is an operator's approval of a withdrawal.
func (b *books) approve(id int64) error {
	return b.try(func(ctx context.Context, tx *ledger.Tx) error {
		_, err := b.withdrawals.Approve(ctx, tx, withdrawal.Approval{Operator: 3, Name: "third", At: tx.Now()}, id, "")
		return err
	})
}

// approved is a withdrawal that an operator has approved.
func (b *books) approved(uid int64, dollars, address string) (id int64) {
	b.t.Helper()
	id = b.asked(uid, dollars, address)
	if err := b.approve(id); err != nil {
		b.t.Fatal(err)
	}
	return id
}

// batch proposes and approves everything that may leave.
func (b *books) batch(way payout.Way) int64 {
	b.t.Helper()
	p, err := b.Propose(b.t.Context(), maker, "", way, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.Approve(b.t.Context(), checker, "", p.ID, b.digest(p.ID)); err != nil {
		b.t.Fatal(err)
	}
	return p.ID
}

// digest is that of a batch in its present state.
func (b *books) digest(id int64) string {
	b.t.Helper()
	p, all, err := b.Batch(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.Digest(p, all)
}

func (b *books) run() {
	b.t.Helper()
	if err := b.Run(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// is fails unless the payout and its withdrawal are in the states given.
func (b *books) is(batch, id int64, state payout.State, of withdrawal.State) payout.Payout {
	b.t.Helper()
	_, all, err := b.Batch(b.t.Context(), batch)
	if err != nil {
		b.t.Fatal(err)
	}
	w, err := b.withdrawals.Get(b.t.Context(), nil, id)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, p := range all {
		if p.Withdrawal != id {
			continue
		}
		if p.State != state || w.State != of {
			b.t.Errorf("payout %d/%d is %s (%q), its withdrawal %s; want %s and %s", batch, id, p.State, p.Note, w.State, state, of)
		}
		if w.State == withdrawal.Confirmed && w.Hash != p.Hash {
			b.t.Errorf("the withdrawal's hash is %s, the payout's %s", w.Hash, p.Hash)
		}
		return p
	}
	b.t.Fatalf("no payout %d/%d", batch, id)
	return payout.Payout{}
}

// got fails unless an address has so many dollars of the token.
func (f *funded) got(t *testing.T, address string, dollars int64) {
	t.Helper()
	if have := f.Balance(t, f.token, address); have.Cmp(chaintest.Units(18, dollars)) != 0 {
		t.Errorf("%s has %s, not %d dollars", address, have, dollars)
	}
}

// desk is a chain and books on it.
func desk(t *testing.T, dsn string, change ...func(*payout.Options)) (*funded, *books) {
	t.Helper()
	f := fundedChain(t)
	b := openBooks(t, testkit.StartLedger(t, dsn), client(t, f.node.URL, f.token, f.key), change...)
	b.join(ann, "1000")
	return f, b
}

// order is a batch of one payout.
type order struct {
	batch, id int64
	to        string
}

// single is a desk with an approved batch of one payout of $25.
func single(t *testing.T) (*funded, *books, order) {
	t.Helper()
	f, b := desk(t, testkit.SQLite(t))
	_, to := chaintest.Wallet(t)
	o := order{to: to, id: b.approved(ann, "25", to)}
	o.batch = b.batch(payout.Hot)
	return f, b, o
}

// settle does a round, lets the chain make final what is sent, and looks again.
func (b *books) settle(f *funded) {
	b.t.Helper()
	b.run()
	f.Mine(needed)
	b.run()
}

// noted imports the hash that pays one payout by hand.
func (b *books) noted(batch, id int64, hash string) {
	b.t.Helper()
	if _, err := b.Import(b.t.Context(), maker, "", batch, listOf([]int64{id}, []string{hash})); err != nil {
		b.t.Fatal(err)
	}
}

// listOf is what people send back of an exported list: ids and hashes.
func listOf(ids []int64, hashes []string) []byte {
	out := []byte("id,hash\n")
	for i, id := range ids {
		out = fmt.Appendf(out, "%d,%s\n", id, hashes[i])
	}
	return out
}

func refused(t *testing.T, err error, code errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, code) || !strings.Contains(err.Error(), text) {
		t.Errorf("%v, want %s with %q", err, code, text)
	}
}

func startLedger(t *testing.T, db *store.DB, dir string, at time.Time) *testkit.Ledger {
	t.Helper()
	path := filepath.Join(dir, "ledger.key")
	signer, err := ledger.LoadSigner(path)
	if err != nil {
		if signer, err = ledger.CreateSigner(path); err != nil {
			t.Fatal(err)
		}
	}
	return testkit.StartLedgerWith(t, db, signer, clock.NewFake(at))
}

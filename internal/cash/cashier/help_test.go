package cashier_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	waits "github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	anna   = int64(100001)
	berta  = int64(100002)
	wallet = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	other  = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
	level  = "LevelIncome"
	pin    = "Pin4you"
)

var (
	secret   = []byte("0123456789abcdef0123456789abcdef")
	first    = actor.By{Operator: 1, Name: "first@bifolia.example"}
	second   = actor.By{Operator: 2, Name: "second@bifolia.example"}
	someHash = "0x" + strings.Repeat("ab", 32)
)

// rules are the limits that an installation has set. How they are changed is
// package setting's matter.
type rules struct{ settings.WithdrawLimits }

func (r *rules) Current() *brand.Brand            { return nil }
func (r *rules) Limits() settings.WithdrawLimits  { return r.WithdrawLimits }
func (r *rules) NextAddress() (string, time.Time) { return "", time.Time{} }

// counter is a cashier with everything behind it, on one database.
type counter struct {
	*cashier.Service
	t           *testing.T
	l           *testkit.Ledger
	auth        *auth.Service
	members     *member.Service
	mail        *mail.Service
	withdrawals *withdrawal.Service
	rules       *rules
	others      int                    // operators beside who asks
	chain       map[string]evm.Verdict // by hash; nil where none is configured
	looked      evm.Expectation        // at last
	paysFrom    []string               // the company's addresses
}

// verify is what the chain says; of a transaction that it does not know, that it waits.
func (c *counter) verify(_ context.Context, hash string, e evm.Expectation) (evm.Verdict, bool) {
	c.looked = e
	if v, known := c.chain[hash]; known {
		return v, true
	}
	return evm.Verdict{State: evm.Waiting, Text: errs.Text{Message: "The chain does not know it."}}, c.chain != nil
}

// operators are the two who decide.
type operators struct{}

func (operators) OperatorsIn(context.Context, *ledger.Tx) ([]auth.Operator, error) {
	return []auth.Operator{{ID: 1, Name: "First", Email: first.Name}, {ID: 2, Name: "Second", Email: second.Name}}, nil
}

// told returns how often an operator was mailed about a waiting payment.
func (c *counter) told(by actor.By) (n int) {
	c.t.Helper()
	all, err := c.mail.Recent(c.t.Context(), 500)
	c.must(err)
	for _, letter := range all {
		if letter.To == by.Name && strings.Contains(letter.Text, "The payment of withdrawal") {
			n++
		}
	}
	return n
}

func open(t *testing.T, dsn string, more ...func(*counter, *cashier.Options)) *counter {
	t.Helper()
	l := testkit.StartLedger(t, dsn)
	c := &counter{t: t, l: l, rules: &rules{limits("5000", "50000", "1000")}}
	var err error
	funds := fund.New(fund.Options{Store: l.DB.Fund()})
	c.auth, err = auth.New(auth.Options{
		Store: l.DB.Auth(), Clock: l.Clock, Do: l, Log: testkit.Log(), Secret: secret, Waits: funds.Hold,
		Hasher: auth.NewHasher(auth.HashOptions{Params: auth.Params{Memory: 8, Time: 1, Threads: 1}}),
	})
	c.must(err)
	t.Cleanup(c.auth.Close)
	c.mail, err = mail.New(mail.Options{Store: l.DB.Mail(), Clock: l.Clock, Do: l, Log: testkit.Log(), PublicURL: "https://bifolia.example", Keep: true})
	c.must(err)
	c.members = member.New(member.Options{Store: l.DB.Member()})
	c.withdrawals = withdrawal.New(withdrawal.Options{Store: l.DB.Withdrawal(), Secret: secret})
	books := closing.New(closing.Options{Do: l, Store: l.DB.Closing(), Clock: l.Clock, Log: testkit.Log()})
	log := auditlog.New(auditlog.Options{Do: l, Store: l.DB.AuditLog(), Clock: l.Clock})
	opt := cashier.Options{
		Do: l, Auth: c.auth, Members: c.members, Mail: c.mail, Funds: funds,
		Withdrawals: c.withdrawals, Plans: books, AuditLog: log, Settings: c.rules, Clock: l.Clock,
		Verify: c.verify, Others: func(context.Context, *ledger.Tx, int64) (int, error) { return c.others, nil },
		PaysFrom: func(_ context.Context, address string) (bool, error) {
			return slices.Contains(c.paysFrom, address), nil
		},
		Second: waits.New(waits.Options{Operators: operators{}, Mail: c.mail, May: func(auth.Role, string) bool { return true }}),
	}
	for _, change := range more {
		change(c, &opt)
	}
	c.Service = cashier.New(opt)
	c.command(func(ctx context.Context, tx *ledger.Tx) error {
		return books.Begin(ctx, tx, plan.DefaultBody(), tx.Now())
	})
	return c
}

func limits(member, total, two string) settings.WithdrawLimits {
	return settings.WithdrawLimits{MemberDaily: money.MustParse(member), TotalDaily: money.MustParse(total), TwoAbove: money.MustParse(two), FundTwoAbove: money.MustParse("10000"), FundAloneDaily: money.MustParse("5000")}
}

func (c *counter) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// digest is that of a withdrawal in its present state.
func (c *counter) digest(id int64) string {
	c.t.Helper()
	w, err := c.withdrawals.Get(c.t.Context(), nil, id)
	c.must(err)
	return w.Digest()
}

func (c *counter) command(run func(ctx context.Context, tx *ledger.Tx) error) {
	c.t.Helper()
	_, err := c.l.Do(c.t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	c.must(err)
}

// join makes members with an address to be paid to and dollars of a fund, long
// enough ago that nothing waits any more.
func (c *counter) join(dollars string, uids ...int64) {
	c.t.Helper()
	credential, err := c.auth.Prepare(c.t.Context(), "Correct horse 1", pin)
	c.must(err)
	c.command(func(ctx context.Context, tx *ledger.Tx) error {
		for _, uid := range uids {
			name := strconv.FormatInt(uid, 10)
			if err := c.members.Add(ctx, tx, member.Member{UID: uid, Name: "Member " + name, Email: email(uid), Wallet: walletOf(uid), JoinedAt: tx.Now(), EmailOK: tx.Now()}); err != nil {
				return err
			}
			if err := c.auth.Add(ctx, tx, uid, credential); err != nil {
				return err
			}
			if err := fund.Deposit(tx, uid, fund.Robot, money.MustParse(dollars), "d"+name); err != nil {
				return err
			}
		}
		return nil
	})
	c.l.Clock.Advance(72 * time.Hour)
}

// earn pays a member an income as a close does: out of a pool that a final sale
// has filled.
func (c *counter) earn(uid int64, dollars string) {
	c.t.Helper()
	a := money.MustParse(dollars)
	minus, _ := a.Neg()
	leg := func(code string, d money.Amount) ledger.Leg {
		return ledger.Leg{Account: ledger.MustAccount(code), Delta: d}
	}
	c.command(func(_ context.Context, tx *ledger.Tx) error {
		for _, legs := range [][]ledger.Leg{
			{leg("A:CLIENT", a), leg("L:DEFERRED:test", a)},
			{leg("L:DEFERRED:test", minus), leg("P:LEVEL", a), leg("A:CLIENT", minus), leg("A:FIELD", a)},
			{leg("P:LEVEL", minus), leg("L:INCOME:"+level+":"+strconv.FormatInt(uid, 10), a)},
		} {
			if _, err := tx.Post(ledger.Transfer{Kind: "test", Legs: legs}); err != nil {
				return err
			}
		}
		return nil
	})
}

// walletOf is a member's own: anna's is wallet.
func walletOf(uid int64) member.Wallet {
	if uid == anna {
		return wallet
	}
	address, _ := eip55.Parse(fmt.Sprintf("0x%040x", uid))
	return member.Wallet(address)
}

func email(uid int64) string { return strconv.FormatInt(uid, 10) + "@example.org" }

// as is a member's own session.
func as(uid int64) auth.Session { return auth.Session{Kind: auth.KindMember, Owner: uid} }

// code asks for a code, bound to the amount unless that is "", and reads the mail.
func (c *counter) code(uid int64, from, amount string) string {
	c.t.Helper()
	r := cashier.CodeRequest{UID: uid, Email: email(uid), Own: true}
	if amount != "" {
		r.For = &withdrawal.Order{Wallet: from, Type: withdrawal.USDT, Amount: money.MustParse(amount)}
	}
	c.must(c.SendCode(c.t.Context(), r))
	all, err := c.mail.Recent(c.t.Context(), 1)
	c.must(err)
	if len(all) == 0 || all[0].To != email(uid) {
		c.t.Fatalf("no code was mailed: %+v", all)
	}
	_, rest, _ := strings.Cut(all[0].Text, "OTP: ")
	digits, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(digits)
}

// take asks for a withdrawal with a code.
func (c *counter) take(uid int64, from, amount, code string) error {
	return c.Withdraw(c.t.Context(), as(uid), "", cashier.Withdrawal{Wallet: from, Type: withdrawal.USDT, Amount: money.MustParse(amount), Code: code})
}

// ask is take with a new code. If none is mailed for that amount, it is take with a code
// that was mailed without an amount, and refused with the same error.
func (c *counter) ask(uid int64, from, amount string) error {
	c.t.Helper()
	order := withdrawal.Order{Wallet: from, Type: withdrawal.USDT, Amount: money.MustParse(amount)}
	said := c.SendCode(c.t.Context(), cashier.CodeRequest{UID: uid, Email: email(uid), Own: true, For: &order})
	if said == nil {
		return c.take(uid, from, amount, c.code(uid, from, amount))
	}
	err := c.take(uid, from, amount, c.code(uid, "", ""))
	if errs.MessageOf(err) != errs.MessageOf(said) {
		c.t.Errorf("of %s a code is refused with %q, and the withdrawal with %q", amount, said, err)
	}
	return err
}

// last is a member's newest withdrawal.
func (c *counter) last(uid int64) withdrawal.Withdrawal {
	c.t.Helper()
	all, _, _, err := c.Withdrawals(c.t.Context(), withdrawal.Filter{UID: uid, Limit: 1})
	c.must(err)
	if len(all) == 0 {
		c.t.Fatalf("member %d has no withdrawal", uid)
	}
	return all[0]
}

// approved asks for dollars of a member's fund and approves that.
func (c *counter) approved(uid int64, dollars string) (id int64) {
	c.t.Helper()
	c.must(c.ask(uid, withdrawal.FundBalance, dollars))
	id = c.last(uid).ID
	c.must(c.ApproveWithdrawal(c.t.Context(), first, "", id, "", ""))
	return id
}

func (c *counter) refused(err error, code errs.Kind, text string) {
	c.t.Helper()
	if !errs.Is(err, code) || !strings.Contains(err.Error(), text) {
		c.t.Errorf("%v, want %s with %q", err, code, text)
	}
}

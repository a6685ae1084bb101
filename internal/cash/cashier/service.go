// Package cashier is money in and out by the front door: fund requests and
// transfers between members, withdrawals and their one-time codes, and what
// operators decide about them. Each is one command over funds, withdrawals,
// members and mail; what leaves by the chain is other packages' matter, which
// call what is exported here for them.
package cashier

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Options of a Service.
type Options struct {
	Do          ledger.CommandRunner
	Auth        *auth.Service
	Members     *member.Service
	Mail        *mail.Service
	Funds       *fund.Service
	Withdrawals *withdrawal.Service
	Plans       Plans
	AuditLog    *auditlog.Service
	Settings    Settings              // knows where members send money, and the limits
	Second      *approvalmail.Service // tells whoever may approve
	Clock       clock.Clock
	// Open refuses to end a withdrawal, or to pay it, that may have been paid before a
	// restore; nil never does.
	Open func(ctx context.Context, tx *ledger.Tx, id int64) error

	// Verify asks the chain whether a transaction paid; false where none is
	// configured. nil asks none.
	Verify func(ctx context.Context, hash string, e evm.Expectation) (evm.Verdict, bool)
	// PaysFrom tells whether the company pays from an address: one that only it has the
	// key of, and that holds now. nil for never.
	PaysFrom func(ctx context.Context, address string) (bool, error)
	// Others is how many operators but one may confirm payments and can sign in; nil
	// for none.
	Others func(ctx context.Context, tx *ledger.Tx, but int64) (int, error)
	Demo   bool // one operator may confirm what they noted

	// Deposits knows members' addresses and what they announced; nil for neither.
	Deposits *deposit.Service
	// Receiver is the company's address that the chain is watched at; nil, or "",
	// where nothing is watched.
	Receiver func() string
	// Ours tells whether an address is, or was, the company's; nil for never.
	Ours func(ctx context.Context, address string) (bool, error)
	// Minimum is the least payment that becomes a request.
	Minimum money.Amount
	Log     *slog.Logger
}

// Plans knows the compensation plan: *closing.Service.
type Plans interface {
	// PlanNow is the plan in force at the time of the command.
	PlanNow(ctx context.Context, tx *ledger.Tx) (*plan.Plan, error)
}

// Settings are the current settings: *settings.Service.
type Settings interface {
	Current() *brand.Brand
	Limits() settings.WithdrawLimits
	NextAddress() (address string, holds time.Time)
}

// Service does what members and operators ask for. Who is asked for is checked
// by the caller; whether a session may move money is checked here.
type Service struct{ opt Options }

// New makes a Service.
func New(opt Options) *Service { return &Service{opt} }

// Limits of withdrawals, as they are told to members.
func (s *Service) Limits() settings.WithdrawLimits { return s.opt.Settings.Limits() }

// open refuses a withdrawal that may have been paid without this database's knowing.
func (s *Service) open(ctx context.Context, tx *ledger.Tx, id int64) error {
	if s.opt.Open == nil {
		return nil
	}
	return s.opt.Open(ctx, tx, id)
}

// work is what a command does within its rows.
type work func(ctx context.Context, tx *ledger.Tx) ([]byte, error)

func command(who, key string, body []byte, run work) ledger.Command {
	return ledger.Command{Actor: who, Key: key, Body: body, Run: run}
}

var errUnderReview = errs.New(errs.Refused, "member.under_review", "Your account is under review: its money stands still.")

// person is the member whose money is to leave, as the signed chain knows them.
// Refused while the account is under review.
func (s *Service) person(ctx context.Context, tx *ledger.Tx, uid int64) (member.Member, error) {
	m, found, err := s.opt.Members.Vouched(ctx, tx, uid)
	if err == nil && (!found || m.Blocked()) {
		err = errUnderReview
	}
	return m, err
}

// tell queues a mail to a member and wakes who sends it.
func (s *Service) tell(ctx context.Context, tx *ledger.Tx, to string, letter mail.Mail) error {
	if to == "" {
		return nil
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, to, letter)
}

// deed is what an operator did about a request or a withdrawal of a member's.
type deed struct {
	kind        string
	id, uid     int64
	amount      money.Amount
	was, became map[string]string
	remark      string
}

// record keeps what an operator did, for the member to see too.
func (s *Service) record(ctx context.Context, tx *ledger.Tx, by actor.By, d deed) error {
	if by.Operator == 0 {
		return nil // the chain's watcher is no operator
	}
	d.became["amount"] = d.amount.String()
	return s.opt.AuditLog.Record(ctx, tx, auditlog.Act{
		ID: "o" + strings.ToLower(rand.Text()[:16]), Kind: d.kind, Subject: strconv.FormatInt(d.id, 10), Amount: d.amount, Reference: d.remark, Operator: by.Operator, Name: by.Name, At: tx.Now(),
		Member: d.uid, Shown: true, Was: auditlog.State(d.was), Became: auditlog.State(d.became),
	})
}

// standing is how far something has come, as the record tells it: first is who
// of two operators approved it first, "" for nobody.
func standing(state, first string) map[string]string {
	out := map[string]string{"state": state}
	if first != "" {
		out["first"] = first
	}
	return out
}

// errNotDone is how a command that only asks leaves no trace.
var errNotDone = errors.New("cashier: not done yet")

// done tells whether a request was done before under its key: what it needed
// once, such as a one-time code, is spent then. Conflict if the key was used
// for another request.
func (s *Service) done(ctx context.Context, who, key string, body []byte) (bool, error) {
	if key == "" {
		return false, nil
	}
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: who, Key: key, Body: body, Run: func(context.Context, *ledger.Tx) ([]byte, error) {
		return nil, errNotDone
	}})
	if errors.Is(err, errNotDone) {
		return false, nil
	}
	return err == nil, err
}

// plain is an amount as people write it: without zeros that say nothing.
func plain(a money.Amount) string {
	text := a.String()
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}

// Package cashier handles the members' money in and out: fund requests, transfers between
// members, withdrawals with their one-time codes, and the operators' decisions about
// them. Each is one command over funds, withdrawals, members and mail. Package payout
// pays withdrawals on the chain and calls the functions exported for it.
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

type Options struct {
	Do          ledger.CommandRunner
	Auth        *auth.Service
	Members     *member.Service
	Mail        *mail.Service
	Funds       *fund.Service
	Withdrawals *withdrawal.Service
	Plans       Plans
	AuditLog    *auditlog.Service
	Settings    Settings // receiving accounts and limits
	Second      *approvalmail.Service
	Clock       clock.Clock
	// Open returns Refused for ending or paying a withdrawal that may have been paid
	// before a restore; nil allows all.
	Open func(ctx context.Context, tx *ledger.Tx, id int64) error

	// Verify asks the chain whether a transaction paid; false if no chain is configured.
	// nil never asks.
	Verify func(ctx context.Context, hash string, e evm.Expectation) (evm.Verdict, bool)
	// PaysFrom reports whether the company pays from an address: it alone has the key,
	// and the address is in use. nil means never.
	PaysFrom func(ctx context.Context, address string) (bool, error)
	// Others returns how many operators except one may confirm payments and can sign in;
	// nil means none.
	Others func(ctx context.Context, tx *ledger.Tx, but int64) (int, error)
	Demo   bool // an operator may confirm their own entries

	// Deposits has the members' deposit addresses and announced payments; nil if there
	// are none.
	Deposits *deposit.Service
	// Receiver returns the company address that is watched on the chain; nil or "" if
	// none is.
	Receiver func() string
	// Ours reports whether an address is or was the company's; nil means never.
	Ours func(ctx context.Context, address string) (bool, error)
	// Minimum is the smallest payment that becomes a request.
	Minimum money.Amount
	Log     *slog.Logger
}

// Plans provides the compensation plan: *closing.Service.
type Plans interface {
	// PlanNow is the plan in force at the time of the command.
	PlanNow(ctx context.Context, tx *ledger.Tx) (*plan.Plan, error)
}

// Settings provides the current settings: *settings.Service.
type Settings interface {
	Current() *brand.Brand
	Limits() settings.WithdrawLimits
	NextAddress() (address string, holds time.Time)
}

// Service handles the requests of members and operators. The caller checks the permission
// of the actor; the Service checks that a session may move money.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

func (s *Service) Limits() settings.WithdrawLimits { return s.opt.Settings.Limits() }

// open returns Refused for a withdrawal that may have been paid before a restore.
func (s *Service) open(ctx context.Context, tx *ledger.Tx, id int64) error {
	if s.opt.Open == nil {
		return nil
	}
	return s.opt.Open(ctx, tx, id)
}

func command(who, key string, body []byte, run func(context.Context, *ledger.Tx) ([]byte, error)) ledger.Command {
	return ledger.Command{Actor: who, Key: key, Body: body, Run: run}
}

var errUnderReview = errs.New(errs.Refused, "member.under_review", "Your account is under review, so its money is frozen.")

// payer reads the member whose money leaves, verified against the signed chain. Refused
// while the account is under review.
func (s *Service) payer(ctx context.Context, tx *ledger.Tx, uid int64) (member.Member, error) {
	m, found, err := s.opt.Members.Verified(ctx, tx, uid)
	if err == nil && (!found || m.Blocked()) {
		err = errUnderReview
	}
	return m, err
}

// mail queues a mail to a member and wakes the sender after the commit.
func (s *Service) mail(ctx context.Context, tx *ledger.Tx, to string, letter mail.Mail) error {
	if to == "" {
		return nil
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, to, letter)
}

// decision is an operator's decision about a request or a withdrawal of a member.
type decision struct {
	kind        string
	id, uid     int64
	amount      money.Amount
	was, became map[string]string
	remark      string
}

// record writes a decision to the audit log, where the member sees it too.
func (s *Service) record(ctx context.Context, tx *ledger.Tx, by actor.By, d decision) error {
	if by.Operator == 0 {
		return nil // the deposit watcher
	}
	d.became["amount"] = d.amount.String()
	return s.opt.AuditLog.Record(ctx, tx, auditlog.Act{
		ID: "o" + strings.ToLower(rand.Text()[:16]), Kind: d.kind, Subject: strconv.FormatInt(d.id, 10), Amount: d.amount, Reference: d.remark, Operator: by.Operator, Name: by.Name, At: tx.Now(),
		Member: d.uid, Shown: true, Was: auditlog.State(d.was), Became: auditlog.State(d.became),
	})
}

// stateEntry is a state in the audit log, with the first of two approvers, if any.
func stateEntry(state, first string) map[string]string {
	out := map[string]string{"state": state}
	if first != "" {
		out["first"] = first
	}
	return out
}

// errNotDone rolls back a command that only looks up its key.
var errNotDone = errors.New("cashier: not done yet")

// done reports whether a request was done before under its key, so that its one-time code
// is spent. Conflict if the key was used for another request.
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

// plain formats an amount without trailing zeros.
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

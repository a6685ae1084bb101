// Package second tells the operators who may decide it that something which takes
// two of them waits: one mail for each proposal, to everyone whose role may make
// the deciding call, but for whoever proposed it.
package approvalmail

import (
	"context"
	"fmt"
	"slices"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
)

// Kind is what waits.
type Kind string

// The kinds.
const (
	Batch      Kind = "payout batch"
	Plan       Kind = "plan"
	Settings   Kind = "settings"
	Brand      Kind = "brand"
	Booking    Kind = "booking"
	Correction Kind = "correction"
	Fund       Kind = "fund request"
	Withdrawal Kind = "withdrawal"
	Payment    Kind = "payment"
	Operator   Kind = "operator"
	Erasure    Kind = "erasure"
	Close      Kind = "close"
	Hold       Kind = "payout hold"
)

// Way is how something of a kind is decided.
type Way struct {
	Call   string // that decides it: whoever's role may make it is told
	Screen string // of the console
	Words  string // what the mail calls it
}

// Ways are how each kind is decided.
var Ways = map[Kind]Way{
	Batch:      {"/api/operator/payouts/approve", "/payouts", "Payout batch"},
	Plan:       {"/api/operator/plan/approve", "/plan", "A new version of the plan:"},
	Settings:   {"/api/operator/settings/decide", "/settings", "A change of the settings:"},
	Brand:      {"/api/operator/brand/decide", "/brand", "A change of the brand:"},
	Booking:    {"/api/operator/booking/decide", "/trading", "A booking:"},
	Correction: {"/api/operator/correction/decide", "/trading", "The correction of a wallet:"},
	Fund:       {"/api/operator/fundRequests/approve", "/funds", "Fund request"},
	Withdrawal: {"/api/operator/withdrawals/approve", "/withdrawals", "Withdrawal"},
	Payment:    {"/api/operator/withdrawals/confirm", "/withdrawals?state=Sent", "The payment of withdrawal"},
	Operator:   {"/api/operator/proposals/decide", "/operators", "A change of an operator:"},
	Erasure:    {"/api/operator/member/erasure/decide", "/members", "The erasure of a member's personal data:"},
	Close:      {"/api/operator/close/commit", "/close", "The close of"},
	Hold:       {"/api/operator/payouts/hold/adopt", "/payouts", "Lifting the hold of payouts:"},
}

// Options of a Service.
type Options struct {
	Operators Operators
	Mail      *mail.Service
	// May tells whether operators of a role may make a call.
	May func(role auth.Role, call string) bool
}

// Operators knows the operators: *auth.Service.
type Operators interface {
	OperatorsIn(ctx context.Context, tx *ledger.Tx) ([]auth.Operator, error)
}

// Service tells operators. A nil one tells nobody: where there are no operators.
type Service struct{ opt Options }

// New makes a Service.
func New(opt Options) *Service { return &Service{opt} }

// Wait is something that waits for another operator.
type Wait struct {
	Kind  Kind
	About string   // which one, in words
	By    actor.By // who proposed it, who is not told
}

// Tell queues the mails within the command that proposes.
func (s *Service) Tell(ctx context.Context, tx *ledger.Tx, w Wait) error {
	if s == nil {
		return nil
	}
	way, known := Ways[w.Kind]
	if !known {
		return fmt.Errorf("second: there is no kind %q", w.Kind)
	}
	all, err := s.opt.Operators.OperatorsIn(ctx, tx)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(o auth.Operator) bool {
		return !o.Ended.IsZero() || o.ID == w.By.Operator || o.Email == "" || !s.opt.May(o.Role, way.Call)
	})
	if len(all) == 0 {
		return nil
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	for _, o := range all {
		if err := s.opt.Mail.Queue(ctx, tx, o.Email, mail.SecondNeeded{Name: o.Name, What: way.Words + " " + w.About, By: w.By.Name, Screen: way.Screen}); err != nil {
			return err
		}
	}
	return nil
}

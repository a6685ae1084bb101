// Package approvalmail mails operators about proposals that need a second one: one mail
// for each proposal, to every operator whose role may make the deciding call, except the
// proposer.
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

type Kind string

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

// Way is how a kind is decided.
type Way struct {
	Call   string // the deciding call
	Screen string // of the console
	Words  string // its name in the mail
}

// Ways are the calls that decide each kind.
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

// Options configures a Service.
type Options struct {
	Operators Operators
	Mail      *mail.Service
	// May reports whether operators of a role may make a call.
	May func(role auth.Role, call string) bool
}

// Operators lists the operators: *auth.Service.
type Operators interface {
	OperatorsIn(ctx context.Context, tx *ledger.Tx) ([]auth.Operator, error)
}

// Service mails operators. A nil one mails nobody.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

// Wait is a proposal that needs a second operator.
type Wait struct {
	Kind  Kind
	About string   // which one, in words
	By    actor.By // the proposer, who gets no mail
}

// Tell queues the mails within the proposing command.
func (s *Service) Tell(ctx context.Context, tx *ledger.Tx, w Wait) error {
	if s == nil {
		return nil
	}
	way, known := Ways[w.Kind]
	if !known {
		return fmt.Errorf("approvalmail: there is no kind %q", w.Kind)
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

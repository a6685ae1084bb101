// Package depositwatch credits USDT payments. It scans the chain for payments to deposit
// addresses, and to the company's address for announced payments, and credits those with
// enough confirmations once. Fund requests that only name a transaction are checked too,
// and the finding is noted for operators, who decide: anybody who sees a hash on the
// chain can name it.
//
// The cursor and every payment found are in the database, so that a restart loses nothing
// and credits nothing twice. The retry times of requests are in memory.
package depositwatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Options of a Service.
type Options struct {
	Chain    Chain
	Cashier  Cashier
	Deposits Deposits
	Members  Members
	Receiver func() string // the company's address; if empty, the one shown to the member
	Company  func() string // the company's address, or empty
	Clock    clock.Clock
	Log      *slog.Logger
	Watch    func(evm.State) // called with each verdict; may be nil
}

// Chain is the blockchain: *chain.Client.
type Chain interface {
	Verify(ctx context.Context, hash string, e evm.Expectation) evm.Verdict
	Look(ctx context.Context, hash string) evm.Sight
	Find(ctx context.Context, from, to uint64, receivers []string) ([]evm.Hint, error)
	Head(ctx context.Context) (uint64, error)
	Confirmations() int64
	Token() string
}

// Cashier has the fund requests: *cashier.Service.
type Cashier interface {
	Requests(ctx context.Context, f fund.Filter) ([]fund.Request, int64, error)
	Verdict(ctx context.Context, id int64, text errs.Text) error
	Arrive(ctx context.Context, p cashier.Arrived) (fund.Request, error)
	Minimum() money.Amount
	KeepUnmatched(ctx context.Context, all []deposit.Unmatched) error
	Announced(ctx context.Context, uid int64) ([]deposit.Intent, error)
	SetCursor(ctx context.Context, token string, block int64) error
}

// Deposits has the deposit addresses and the cursor: *deposit.Service.
type Deposits interface {
	Each(ctx context.Context, after map[string]deposit.Place, yield func(deposit.Address) error) error
	Right(a deposit.Address) error
	Begun() map[string][]int64
	Derive(root string, p deposit.Place) (deposit.Address, error)
	Cursor(ctx context.Context, token string) (block int64, found bool, err error)
}

// Members has the members' joining dates and wallets: *member.Service.
type Members interface {
	Get(ctx context.Context, uid int64) (member.Member, bool, error)
	WithWallet(ctx context.Context, w member.Wallet) ([]int64, error)
}

// Service is the watcher.
type Service struct {
	opt Options

	mu   sync.Mutex      // one round at a time
	next map[int64]pause // by request
	scan scan

	status atomic.Pointer[Status]
	seen   atomic.Pointer[map[int64][]Seen] // by member
}

// Status is the result of a round.
type Status struct {
	At    time.Time
	Error errs.Text // why it failed, or no text
}

// Status returns the result of the last round; zero before the first.
func (s *Service) Status() Status {
	if last := s.status.Load(); last != nil {
		return *last
	}
	return Status{}
}

// pause is the next time to check a request, and the length of the last pause.
type pause struct {
	until time.Time
	last  time.Duration
}

// New makes a Service.
func New(opt Options) *Service {
	return &Service{opt: opt, next: map[int64]pause{}, scan: newScan()}
}

const (
	page     = 200
	shortest = 15 * time.Second
	// The longest pauses: for a transaction that the chain does not know, for one that
	// nodes disagree about, and after a final refusal, which only an operator ends.
	longestUnknown, longestDisagreed, afterRefusal = 10 * time.Minute, 5 * time.Minute, 6 * time.Hour
)

// Run scans for new payments and checks every pending request that is due. It may be
// interrupted at any point.
func (s *Service) Run(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := Status{}
	err := s.find(ctx)
	asked := !errs.Is(err, errs.Unavailable)
	if err == nil || !asked { // pending requests get the note that the chain cannot be queried
		all, rerr := s.round(ctx)
		asked, err = asked && all, rerr
	}
	switch {
	case err != nil:
		status.Error = errs.TextOf(err)
	case !asked:
		status.Error = cannotAsk
	}
	status.At = s.opt.Clock.Now()
	s.status.Store(&status)
	return err
}

// round checks the pending requests; false if the chain could not be queried.
func (s *Service) round(ctx context.Context) (asked bool, err error) {
	pending := map[int64]pause{}
	for offset := int64(0); ; offset += page {
		all, total, err := s.opt.Cashier.Requests(ctx, fund.Filter{Way: fund.ByUSDT, State: fund.Pending, Oldest: true, Offset: offset, Limit: page})
		if err != nil {
			return false, err
		}
		decided := int64(0)
		for _, r := range all {
			p := s.next[r.ID]
			if !p.until.After(s.opt.Clock.Latest()) {
				v, err := s.check(ctx, r)
				if err != nil {
					return false, err
				}
				if v.credited {
					decided++
					continue
				}
				p = s.after(p, v.Verdict)
				if errs.Is(v.Cause, errs.Unavailable) && v.Text.Code == cannotAsk.Code {
					s.next[r.ID] = p
					return false, nil // the others would get the same answer
				}
			}
			pending[r.ID] = p
		}
		offset -= decided // they have left the list
		if offset+page >= total || len(all) == 0 {
			break
		}
	}
	s.next = pending
	return true, nil
}

var cannotAsk = errs.Say("chain.unavailable", "The chain cannot be asked just now.")

// after returns the next pause.
func (s *Service) after(p pause, v evm.Verdict) pause {
	wait, most := time.Duration(0), time.Duration(0)
	switch {
	case v.Final:
		wait, most = afterRefusal, afterRefusal
	case v.State == evm.Unknown:
		wait, most = max(2*p.last, shortest), longestDisagreed
	case v.Confirmations == 0:
		wait, most = max(2*p.last, shortest), longestUnknown
	}
	wait = min(wait, most)
	return pause{s.opt.Clock.Latest().Add(wait), wait}
}

// found is the result of checking a request.
type found struct {
	evm.Verdict
	credited bool
}

// check checks one request. The hash that it names credits it only with a payment to the
// member's deposit address.
func (s *Service) check(ctx context.Context, r fund.Request) (found, error) {
	m, known, err := s.opt.Members.Get(ctx, r.UID)
	if err != nil {
		return found{}, err
	}
	if !known {
		return found{}, fmt.Errorf("depositwatch: request %d has no member", r.ID)
	}
	if r.Source != "" { // its payment is known, and an operator decides
		return found{Verdict: evm.Verdict{State: evm.Confirmed, Final: true}}, nil
	}
	if len(s.scan.owner) > 0 {
		sight := s.opt.Chain.Look(ctx, r.Number)
		if sight.State == evm.Confirmed && slices.ContainsFunc(sight.Payments, func(p evm.Payment) bool { return s.scan.owner[p.To] == r.UID }) {
			done, err := s.handle(ctx, sight, nil)
			if err != nil || done.members[r.UID] {
				return found{credited: true, Verdict: evm.Verdict{State: evm.Confirmed}}, err
			} // below the minimum: an operator decides
		}
	}
	receiver := s.opt.Receiver()
	if receiver == "" || s.scan.owner[r.Bank.Account] == r.UID {
		receiver = r.Bank.Account
	}
	v := s.opt.Chain.Verify(ctx, r.Number, evm.Expectation{Receiver: receiver, Amount: r.Amount, NotBefore: m.JoinedAt})
	if s.opt.Watch != nil {
		s.opt.Watch(v.State)
	}
	if v.Cause != nil {
		s.opt.Log.Warn("a fund request could not be looked up on the chain", "request", r.ID, "err", v.Cause)
	}
	if v.State == evm.Confirmed {
		v.Text = errs.Say("fund.verdict_named", "{finding} Anybody can name a transaction: an operator decides.", "finding", v.Text)
		if v, err = s.others(ctx, r, v); err != nil {
			return found{Verdict: v}, err
		}
	}
	return found{Verdict: v}, s.say(ctx, r, v.Text)
}

// others replaces the finding for a payment from another member's wallet. The member
// reads it, so it does not name the wallet's owner.
func (s *Service) others(ctx context.Context, r fund.Request, v evm.Verdict) (evm.Verdict, error) {
	for _, from := range v.From {
		owners, err := s.opt.Members.WithWallet(ctx, member.Wallet(from))
		if err != nil {
			return v, err
		}
		if len(owners) > 0 && !slices.Contains(owners, r.UID) {
			s.opt.Log.Warn("a fund request names a payment out of another member's wallet", "request", r.ID, "member", r.UID, "wallet_of", owners)
			v.Text = errs.Say("fund.verdict_other_wallet", "The payment has arrived, but out of a wallet that another member has registered: an operator decides.")
			return v, nil
		}
	}
	return v, nil
}

// say writes a finding if it has changed.
func (s *Service) say(ctx context.Context, r fund.Request, text errs.Text) error {
	if r.Verdict.Equal(text) {
		return nil
	}
	err := s.opt.Cashier.Verdict(ctx, r.ID, text)
	if errs.Is(err, errs.Conflict) && !errors.As(err, new(*ledger.TamperedError)) { // decided in the meantime
		return nil
	}
	return err
}

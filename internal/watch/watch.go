// Package watch looks fund requests that were paid in USDT up on the chain: one
// that is as the member says, and deep enough, is approved and credited; of any
// other it writes down what was found, for operators, who
// decide. Nothing is rejected by itself, since a transaction number is accepted
// once ever and people make slips.
//
// What was found is kept with the request, so a restart loses nothing; only when
// to ask again is in memory.
package watch

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bifolia/bifolia/internal/cashier"
	"github.com/bifolia/bifolia/internal/clock"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/evm"
	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/member"
)

// Options of a Service.
type Options struct {
	Chain    Chain
	Cashier  Cashier
	Members  Members
	Receiver func() string // the company's address; empty for the one that the member was shown
	Clock    clock.Clock
	Log      *slog.Logger
	Watch    func(evm.State) // told of each verdict; may be nil
}

// Chain is what the watcher needs of the chain: *chain.Client.
type Chain interface {
	Verify(ctx context.Context, hash string, e evm.Expectation) evm.Verdict
}

// Cashier is who has the requests: *cashier.Service.
type Cashier interface {
	Requests(ctx context.Context, f fund.Filter) ([]fund.Request, int64, error)
	Approve(ctx context.Context, by cashier.By, key string, id int64, digest, remark string) error
	Verdict(ctx context.Context, id int64, text string) error
}

// Members knows since when somebody is a member, and whose wallets are whose:
// *member.Service.
type Members interface {
	Get(ctx context.Context, uid int64) (member.Member, bool, error)
	WithWallet(ctx context.Context, w member.Wallet) ([]int64, error)
}

// Service is the watcher.
type Service struct {
	opt Options

	mu   sync.Mutex      // one round at a time
	next map[int64]pause // by request

	status atomic.Pointer[Status]
}

// Status is how the last round ended.
type Status struct {
	At    time.Time
	Error string // why it came to no end; "" when it did
}

// Status is how the last round ended; zero before the first.
func (s *Service) Status() Status {
	if last := s.status.Load(); last != nil {
		return *last
	}
	return Status{}
}

// pause is when a request is asked for again, and how long that took.
type pause struct {
	until time.Time
	last  time.Duration
}

// New makes a Service.
func New(opt Options) *Service { return &Service{opt: opt, next: map[int64]pause{}} }

const (
	page     = 200
	shortest = 15 * time.Second
	// How long the pauses grow: for a transaction that the chain does not know,
	// for one that nodes do not agree about, and after a final refusal, which
	// only an operator ends.
	longestUnknown, longestDisagreed, afterRefusal = 10 * time.Minute, 5 * time.Minute, 6 * time.Hour
)

// name is who decides, as people read it.
const name = "chain watcher"

// Run looks every pending request up that is due. It may be stopped anywhere.
func (s *Service) Run(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := Status{}
	asked, err := s.round(ctx)
	switch {
	case err != nil:
		status.Error = errs.MessageOf(err)
	case !asked:
		status.Error = cannotAsk
	}
	status.At = s.opt.Clock.Now()
	s.status.Store(&status)
	return err
}

// round is false if the chain could not be asked.
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
				if v.State == evm.Confirmed {
					decided++
					continue
				}
				p = s.after(p, v)
				if errs.Is(v.Cause, errs.Unavailable) && v.Text == cannotAsk {
					s.next[r.ID] = p
					return false, nil // the others would hear the same
				}
			}
			pending[r.ID] = p
		}
		offset -= decided // they are not in the list any more
		if offset+page >= total || len(all) == 0 {
			break
		}
	}
	s.next = pending
	return true, nil
}

const cannotAsk = "The chain cannot be asked just now."

// after is when to ask again.
func (s *Service) after(p pause, v evm.Verdict) pause {
	wait, most := time.Duration(0), time.Duration(0)
	switch {
	case v.State == evm.Refused && v.Final:
		wait, most = afterRefusal, afterRefusal
	case v.State == evm.Unknown:
		wait, most = max(2*p.last, shortest), longestDisagreed
	case v.Confirmations == 0:
		wait, most = max(2*p.last, shortest), longestUnknown
	}
	wait = min(wait, most)
	return pause{s.opt.Clock.Latest().Add(wait), wait}
}

// check looks one request up and does what follows.
func (s *Service) check(ctx context.Context, r fund.Request) (evm.Verdict, error) {
	m, found, err := s.opt.Members.Get(ctx, r.UID)
	if err != nil {
		return evm.Verdict{}, err
	}
	if !found {
		return evm.Verdict{}, errs.New(errs.Internal, "watch: request %d is of nobody", r.ID)
	}
	receiver := s.opt.Receiver()
	if receiver == "" {
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
		if v, err = s.others(ctx, r, v); err != nil {
			return v, err
		}
	}
	if v.State == evm.Confirmed {
		err = s.opt.Cashier.Approve(ctx, cashier.By{Name: name}, "", r.ID, "", v.Text)
		switch {
		case err == nil:
			s.opt.Log.Info("a fund request was approved by the chain", "request", r.ID, "amount", r.Amount)
		case errors.As(err, new(*ledger.TamperedError)): // who watches the chain says so
		case errs.Is(err, errs.Conflict): // an operator was faster
			err = nil
		case errs.Is(err, errs.Refused): // money stands still
			return v, s.say(ctx, r, errs.MessageOf(err))
		}
		return v, err
	}
	return v, s.say(ctx, r, v.Text)
}

// others refuses a payment that came from a wallet of another member's: whoever
// sees a hash on the chain can claim it before the one who paid, so a person
// decides. It does not say whose wallet it is, since the member reads it.
func (s *Service) others(ctx context.Context, r fund.Request, v evm.Verdict) (evm.Verdict, error) {
	for _, from := range v.From {
		owners, err := s.opt.Members.WithWallet(ctx, member.Wallet(from))
		if err != nil {
			return v, err
		}
		if len(owners) > 0 && !slices.Contains(owners, r.UID) {
			s.opt.Log.Warn("a fund request names a payment out of another member's wallet", "request", r.ID, "member", r.UID, "wallet_of", owners)
			v.State, v.Final, v.Text = evm.Refused, true, "The payment has arrived, but out of a wallet that another member has registered: an operator decides."
			return v, nil
		}
	}
	return v, nil
}

// say writes a verdict, if it is news.
func (s *Service) say(ctx context.Context, r fund.Request, text string) error {
	if r.Verdict == text {
		return nil
	}
	err := s.opt.Cashier.Verdict(ctx, r.ID, text)
	if errs.Is(err, errs.Conflict) && !errors.As(err, new(*ledger.TamperedError)) { // it was decided meanwhile
		return nil
	}
	return err
}

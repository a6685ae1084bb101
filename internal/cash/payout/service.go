package payout

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

type Options struct {
	Do          ledger.CommandRunner
	Store       Store
	Cashier     Cashier
	Withdrawals *withdrawal.Service
	AuditLog    *auditlog.Service
	Second      *approvalmail.Service // notifies operators who can approve
	Chain       Chain                 // nil if no chain is configured
	DailyCap    money.Amount          // limit of the hot wallet in 24 hours
	Demo        bool                  // operators may approve their own proposals
	Log         *slog.Logger
	// Others returns how many operators except one may lift a hold and can sign in.
	Others func(ctx context.Context, tx *ledger.Tx, but int64) (int, error)
}

// Service pays withdrawals. The caller checks the permission of operators.
type Service struct {
	opt Options

	round   sync.Mutex // one round at a time
	mu      sync.Mutex // guards the fields below
	trouble errs.Text  // why the hot wallet pays nothing, or no text
	failed  int        // failed payouts at the last round
}

func New(opt Options) *Service { return &Service{opt: opt} }

// work runs within a command.
type work func(ctx context.Context, tx *ledger.Tx) error

// do runs an operator's action as one command.
func (s *Service) do(ctx context.Context, by actor.By, key string, body any, out any, run work) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	who := "payout desk: " + by.Name
	if by.Operator != 0 {
		who = by.Key()
	}
	res, err := s.opt.Do.Do(ctx, ledger.Command{Actor: who, Key: key, Body: raw, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := run(ctx, tx); err != nil || out == nil {
			return nil, err
		}
		return json.Marshal(out)
	}})
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(res.Response, out)
}

// Propose puts approved withdrawals into a batch: the given ones or, without ids, all
// that may leave, up to 500. Invalid for an unknown way; NotFound if nothing may leave;
// Conflict or Refused if a given one may not; Refused while payments are frozen, or for a
// hot batch without a hot wallet.
func (s *Service) Propose(ctx context.Context, by actor.By, key string, way Way, ids []int64) (b Batch, err error) {
	switch {
	case way != Hot && way != Manual:
		return b, errs.BadField("way", "payout.way_unknown", "The way is hot or manual.")
	case way == Hot && (s.opt.Chain == nil || s.opt.Chain.Sender() == ""):
		return b, errs.New(errs.Refused, "payout.no_hot_wallet", "There is no hot wallet: propose a manual batch.")
	case len(ids) > maxPayouts:
		return b, errs.New(errs.Invalid, "payout.batch_too_large", "A batch has at most {most} payouts.", "most", maxPayouts)
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	body := map[string]any{"what": "payout propose", "way": way, "withdrawals": ids}
	err = s.do(ctx, by, key, body, &b, func(ctx context.Context, tx *ledger.Tx) error {
		if err := tx.Frozen(); err != nil {
			return err
		}
		if err := s.unheld(ctx, tx); err != nil {
			return err
		}
		last, err := s.opt.Store.LastBatch(ctx, tx)
		if err != nil {
			return err
		}
		b = Batch{ID: last + 1, Way: way, State: Proposed, Proposed: Mark{by, tx.Now()}}
		payouts, err := s.collect(ctx, tx, b, ids)
		if err != nil {
			return err
		}
		b.Payouts = int64(len(payouts))
		for _, p := range payouts {
			if b.Total, err = b.Total.Add(p.Amount); err != nil {
				return err
			}
		}
		if err := s.opt.Store.AddBatch(ctx, tx, b, payouts); err != nil {
			return err
		}
		if err := s.mail(ctx, tx, by, approvalmail.Batch, text(b.ID)+" of "+mail.USDT(b.Total)); err != nil {
			return err
		}
		return s.recordAll(ctx, tx, by, "propose", b, "", string(b.State), payouts, string(way))
	})
	return b, err
}

// collect adds withdrawals to a new batch: the given ones, or all that may leave. A given
// one that may not leave is an error.
func (s *Service) collect(ctx context.Context, tx *ledger.Tx, b Batch, ids []int64) ([]Payout, error) {
	given := len(ids) > 0
	if !given {
		all, err := s.opt.Cashier.Payable(ctx, tx, maxPayouts)
		if err != nil {
			return nil, err
		}
		for _, w := range all {
			ids = append(ids, w.ID)
		}
	}
	var out []Payout
	for _, id := range ids {
		p, err := s.payoutOf(ctx, tx, b, id)
		switch {
		case err == nil:
			out = append(out, p)
		case given || !errs.Is(err, errs.Refused):
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, errs.New(errs.NotFound, "payout.nothing_to_pay", "No approved withdrawal can be paid now.")
	}
	return out, nil
}

// payoutOf adds a withdrawal to a batch.
func (s *Service) payoutOf(ctx context.Context, tx *ledger.Tx, b Batch, id int64) (Payout, error) {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	if err != nil {
		return Payout{}, err
	}
	if err := s.opt.Store.Verify(ctx, tx, 0, []int64{id}); err != nil {
		return Payout{}, err
	}
	if err := s.Open(ctx, tx, id); err != nil {
		return Payout{}, err
	}
	if w.State == withdrawal.Approved {
		if err := s.unpaid(ctx, tx, w); err != nil {
			return Payout{}, err
		}
	}
	if w.Batch != 0 {
		return Payout{}, errs.New(errs.Conflict, "withdrawal.in_batch", "Withdrawal {id} is in batch {batch} already.", "id", id, "batch", w.Batch)
	}
	address, ok := eip55.Parse(w.Address)
	if !ok {
		return Payout{}, errs.New(errs.Refused, "payout.address_invalid", "The address of withdrawal {withdrawal} is malformed or has a wrong checksum. Reject it.", "withdrawal", id)
	}
	if _, err := s.opt.Cashier.SetBatch(ctx, tx, id, b.ID); err != nil {
		return Payout{}, err
	}
	return Payout{Batch: b.ID, Withdrawal: id, UID: w.UID, Way: b.Way, Address: address, Amount: w.Net, State: Waiting, Nonce: -1}, nil
}

// batch reads a batch. NotFound if there is none; Conflict if it is in none of the
// states.
func (s *Service) batch(ctx context.Context, tx *ledger.Tx, id int64, states ...BatchState) (Batch, error) {
	b, found, err := s.opt.Store.Batch(ctx, tx, id)
	switch {
	case err != nil:
		return b, err
	case !found:
		return b, errs.New(errs.NotFound, "payout.batch_not_found", "There is no payout batch {batch}.", "batch", id)
	case len(states) > 0 && !slices.Contains(states, b.State):
		return b, errs.New(errs.Conflict, "payout.batch_state", "Payout batch {batch} is {state}.", "batch", id, "state", b.State)
	}
	return b, nil
}

func (s *Service) payout(ctx context.Context, tx *ledger.Tx, batch, withdrawal int64) (Payout, error) {
	p, found, err := s.opt.Store.Payout(ctx, tx, batch, withdrawal)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "payout.not_in_batch", "Withdrawal {withdrawal} is not in payout batch {batch}.", "withdrawal", withdrawal, "batch", batch)
	}
	return p, err
}

// Approve approves a batch. digest is that of the payload that the approver saw.
// Forbidden for the proposer; Conflict if it is not proposed, or one of its rows was
// tampered with; Refused if the digest differs, or while payments are frozen.
func (s *Service) Approve(ctx context.Context, by actor.By, key string, id int64, digest string) (b Batch, err error) {
	body := map[string]any{"what": "payout approve", "batch": id, "digest": digest}
	err = s.do(ctx, by, key, body, &b, func(ctx context.Context, tx *ledger.Tx) (err error) {
		if err := tx.Frozen(); err != nil {
			return err
		}
		if b, err = s.batch(ctx, tx, id, Proposed); err != nil {
			return err
		}
		if err := s.unheld(ctx, tx); err != nil {
			return err
		}
		b.Alone = ""
		if by.Name == "" || by.Is(b.Proposed.By) {
			if b.Alone = approval.InDemo(s.opt.Demo); b.Alone == "" {
				return errs.New(errs.Forbidden, "payout.own_batch", "The operator who proposed a batch cannot approve it. Another operator must.")
			}
		}
		all, err := s.verified(ctx, tx, id)
		if err != nil {
			return err
		}
		if s.Digest(b, all) != digest {
			return errs.New(errs.Refused, "payout.batch_digest_changed", "Batch {batch} has changed. Review it again.", "batch", id)
		}
		b.State, b.Approved = BatchApproved, Mark{by, tx.Now()}
		if err := s.opt.Store.SaveBatch(ctx, tx, b, Proposed); err != nil {
			return err
		}
		return s.recordAll(ctx, tx, by, "approve", b, string(Proposed), string(b.State), all, digest)
	})
	return b, err
}

// Cancel removes the payouts of a batch that are not signed; signed ones continue.
// Conflict if the batch has ended, or was exported: an operator may be paying it, and its
// payouts are returned one by one.
func (s *Service) Cancel(ctx context.Context, by actor.By, key string, id int64) (b Batch, err error) {
	body := map[string]any{"what": "payout cancel", "batch": id}
	err = s.do(ctx, by, key, body, &b, func(ctx context.Context, tx *ledger.Tx) (err error) {
		if b, err = s.batch(ctx, tx, id, Proposed, BatchApproved); err != nil {
			return err
		}
		if !b.ExportedAt.IsZero() {
			return errs.New(errs.Conflict, "payout.batch_exported", "Batch {batch} was exported, so it may be being paid. Import the hashes, and return unpaid payouts.", "batch", id)
		}
		all, err := s.opt.Store.Payouts(ctx, tx, id)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(p Payout) bool { return p.State != Waiting })
		for _, p := range all {
			if _, err := s.opt.Cashier.SetBatch(ctx, tx, p.Withdrawal, 0); err != nil {
				return err
			}
			p.State, p.EndedAt, p.Note = Cancelled, tx.Now(), ""
			if err := s.opt.Store.SavePayout(ctx, tx, p, Waiting); err != nil {
				return err
			}
		}
		if err := s.recordAll(ctx, tx, by, "cancel", b, string(b.State), string(BatchCancelled), all, ""); err != nil {
			return err
		}
		b, err = s.finish(ctx, tx, id)
		return err
	})
	return b, err
}

// finish ends a batch if all of its payouts have ended.
func (s *Service) finish(ctx context.Context, tx *ledger.Tx, id int64) (Batch, error) {
	b, err := s.batch(ctx, tx, id)
	if err != nil || b.State == Done || b.State == BatchCancelled {
		return b, err
	}
	all, err := s.opt.Store.Payouts(ctx, tx, id)
	if err != nil {
		return b, err
	}
	from, paid := b.State, false
	for _, p := range all {
		if !p.State.ended() {
			return b, nil
		}
		paid = paid || p.State != Cancelled
	}
	b.State, b.EndedAt = Done, tx.Now()
	if !paid {
		b.State = BatchCancelled
	}
	return b, s.opt.Store.SaveBatch(ctx, tx, b, from)
}

// Return ends a payout that will not be paid, so that its withdrawal is Approved again
// and can be rejected or paid in another batch. It applies to failed payouts, and to
// unpaid ones of exported lists; why says how that is known. Invalid without why;
// Conflict for any other payout.
func (s *Service) Return(ctx context.Context, by actor.By, key string, batch, id int64, why string) error {
	why = strings.TrimSpace(why)
	if n := utf8.RuneCountInString(why); n == 0 || n > 150 || !utf8.ValidString(why) || strings.ContainsFunc(why, unicode.IsControl) {
		return errs.BadField("reason", "payout.return_reason", "The reason has 1 to 150 characters. Say how you know that nothing was paid.")
	}
	body := map[string]any{"what": "payout return", "batch": batch, "withdrawal": id, "why": why}
	return s.do(ctx, by, key, body, nil, func(ctx context.Context, tx *ledger.Tx) error {
		p, err := s.payout(ctx, tx, batch, id)
		if err != nil {
			return err
		}
		if err := s.Open(ctx, tx, id); err != nil {
			return err
		}
		from := p.State
		switch {
		case p.State == Failed:
			err = s.opt.Cashier.FailedIn(ctx, tx, by, id, why)
		case p.State == Waiting && p.Way == Manual:
			_, err = s.opt.Cashier.SetBatch(ctx, tx, id, 0)
		default:
			err = wrongState(p)
		}
		if err != nil {
			return err
		}
		p.State, p.EndedAt = Returned, tx.Now()
		if err := s.opt.Store.SavePayout(ctx, tx, p, from); err != nil {
			return err
		}
		if err := s.recordOne(ctx, tx, by, "return", inState(from), inState(p.State), p, why); err != nil {
			return err
		}
		_, err = s.finish(ctx, tx, batch)
		return err
	})
}

// Batches returns a page of the batches, newest first, and their total count.
func (s *Service) Batches(ctx context.Context, offset, limit int64) ([]Batch, int64, error) {
	return s.opt.Store.Batches(ctx, offset, limit)
}

// Batch returns a batch with its payouts. NotFound if there is none.
func (s *Service) Batch(ctx context.Context, id int64) (Batch, []Payout, error) {
	b, err := s.batch(ctx, nil, id)
	if err != nil {
		return b, nil, err
	}
	all, err := s.opt.Store.Payouts(ctx, nil, id)
	return b, all, err
}

// Trouble returns why the hot wallet pays nothing; no text if it pays.
func (s *Service) Trouble() errs.Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

// FailedNow returns the number of failed payouts at the last round.
func (s *Service) FailedNow() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

func (s *Service) setTrouble(text errs.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text.Message != "" && !text.Equal(s.trouble) {
		s.opt.Log.Error("payouts are blocked", "why", text.Message)
	}
	s.trouble = text
}

// Get returns a payout. NotFound if there is none.
func (s *Service) Get(ctx context.Context, batch, withdrawal int64) (Payout, error) {
	return s.payout(ctx, nil, batch, withdrawal)
}

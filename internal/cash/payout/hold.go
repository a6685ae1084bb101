package payout

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// After a restore the database is an older copy. Payouts may have been signed, broadcast
// and mined that it does not know, and paying a withdrawal that it considers unpaid would
// pay it twice. So payouts are held until operators adopt the state:
//
//   - held: nothing is batched, signed or broadcast, and no open withdrawal ends.
//   - settling, on an operator's request: every nonce that a lost payment may have is used
//     for good, by a payment that the database knows or by a transaction that pays nobody.
//     After that no transaction signed in the lost time can be mined any more.
//   - settled: the payments of the hot wallet since, and the transfers to addresses of open
//     withdrawals, were read from the chain and matched.
//   - lifted, by two operators who approved the same state: a withdrawal that was found paid
//     is noted as Sent by its transaction, and the rest may be paid.

// Cause is the reason of a hold.
type Cause string

const (
	CauseRestore Cause = "restore" // a backup was restored
	CauseChain   Cause = "chain"   // the chain has transactions of the hot wallet that the database does not know
)

type HoldState string

// The states of a hold.
const (
	Held     HoldState = "held"
	Settling HoldState = "settling"
	Settled  HoldState = "settled"
	Lifted   HoldState = "lifted"
)

// Hold stops payouts.
type Hold struct {
	ID     int64
	Cause  Cause
	Note   string // id of the restore's note
	Detail errs.Text
	Since  time.Time // start of the search on the chain
	At     time.Time
	State  HoldState
	Sender string // the settled hot wallet
	Until  int64  // all nonces below it are used for good when the hold is settled
	Begun  Mark   // start of settling
	First  Mark   // first of two approvals
	Digest string // of the first approval
	Lifted Mark
	Alone  approval.Alone // reason for a single approval
	Reason string         // of the last action
}

// Found is a transfer that the chain has and the database does not.
type Found struct {
	Hold, N      int64
	Hash         string
	From, To     string
	Amount       money.Amount
	Block        int64
	Withdrawal   int64 // the withdrawal that it paid or may have paid, or 0
	Own          bool  // from the hot wallet
	Dismissed    Mark  // set if an operator stated that it did not pay the withdrawal
	DismissedFor string
}

// paid reports whether it counts as the payment of its withdrawal.
func (f Found) paid() bool { return f.Withdrawal != 0 && f.Dismissed.At.IsZero() }

// Note records a restore.
type Note struct {
	ID    string
	Made  time.Time // time of the backup
	Batch int64     // last batch of the backup
	At    time.Time
}

var errHeld = errs.New(errs.Refused, "payout.held", "Payouts are held: the database is an older copy, and payments made since must be found first. See Payouts in the console.")

// working combines the holds that are not lifted: the newest one with the earliest Since.
// It is zero if there are none.
func (s *Service) working(ctx context.Context, tx *ledger.Tx) (h Hold, all []Hold, err error) {
	if all, err = s.opt.Store.Holds(ctx, tx); err != nil || len(all) == 0 {
		return h, nil, err
	}
	h = all[len(all)-1]
	for _, other := range all {
		if other.Since.Before(h.Since) {
			h.Since = other.Since
		}
	}
	return h, all, nil
}

// unheld returns Refused while payouts are held, or a restore has no hold yet.
func (s *Service) unheld(ctx context.Context, tx *ledger.Tx) error {
	notes, err := s.opt.Store.Notes(ctx, tx)
	if err != nil {
		return err
	}
	_, all, err := s.working(ctx, tx)
	if err == nil && len(notes)+len(all) > 0 {
		err = errHeld
	}
	return err
}

// HeldFor returns why payouts are held; no text if they are not.
func (s *Service) HeldFor(ctx context.Context) (errs.Text, error) {
	err := s.unheld(ctx, nil)
	if err == nil || !errs.Is(err, errs.Refused) {
		return errs.Text{}, err
	}
	h, _, err := s.working(ctx, nil)
	if err != nil || h.Detail.Message == "" {
		return errHeld.Text, err
	}
	return h.Detail, nil
}

// Open checks that a withdrawal may be paid, rejected or cancelled. Refused while payouts
// are held, or if a transaction was found that paid it and is not noted.
func (s *Service) Open(ctx context.Context, tx *ledger.Tx, id int64) error {
	if err := s.unheld(ctx, tx); err != nil {
		return err
	}
	found, err := s.opt.Store.FoundFor(ctx, tx, id)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.paid() {
			return errs.New(errs.Refused, "payout.transfer_paid_withdrawal", "Transaction {hash} has paid withdrawal {withdrawal}. Note that transaction as its payment.", "hash", f.Hash, "withdrawal", id)
		}
	}
	return nil
}

// holdFor adds a hold, one for each restore and one for other causes.
func (s *Service) holdFor(ctx context.Context, tx *ledger.Tx, h Hold) error {
	_, all, err := s.working(ctx, tx)
	if err != nil || (h.Note == "" && slices.ContainsFunc(all, func(o Hold) bool { return o.Cause == h.Cause })) {
		return err
	}
	h.At, h.State = tx.Now(), Held
	if h.Since.IsZero() || h.Since.After(h.At) {
		h.Since = h.At
	}
	return s.opt.Store.AddHold(ctx, tx, h)
}

// TakeNote adds holds for restores that have none. ended runs within the same command and
// ends all sessions and other sign-ins without a password.
func (s *Service) TakeNote(ctx context.Context, ended work) error {
	notes, err := s.opt.Store.Notes(ctx, nil)
	if err != nil || len(notes) == 0 {
		return err
	}
	s.opt.Log.Error("payouts are held: the database is an older copy", "restores", len(notes))
	return s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		notes, err := s.opt.Store.Notes(ctx, tx)
		if err != nil {
			return err
		}
		for _, n := range notes {
			h := Hold{Cause: CauseRestore, Note: n.ID, Since: n.Made, Detail: errs.Say("payout.hold_restored", "On {at} the database was replaced by a copy of {made} that ends at batch {batch}.", "at", day(n.At), "made", day(n.Made), "batch", n.Batch)}
			if err := s.holdFor(ctx, tx, h); err != nil {
				return err
			}
		}
		return ended(ctx, tx)
	})
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// holdForChain adds a hold because the chain has transactions of the hot wallet that the
// database does not know.
func (s *Service) holdForChain(ctx context.Context, w Wallet, detail errs.Text) error {
	return s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		since := w.At
		if since.IsZero() { // no open withdrawal was paid before it was requested
			oldest, err := s.opt.Store.OldestOpen(ctx, tx)
			if err != nil {
				return err
			}
			since = oldest
		}
		return s.holdFor(ctx, tx, Hold{Cause: CauseChain, Since: since, Detail: detail})
	})
}

// Unpaid is an approved withdrawal that can be paid after the hold.
type Unpaid struct {
	ID, UID, Batch int64
	Address        string
	Amount         money.Amount
}

// Standing is the state of a hold for operators.
type Standing struct {
	Hold    Hold
	Held    bool
	Found   []Found
	Waiting []Unpaid
	Nonces  struct{ Latest, Pending, ForGood, Known int64 }
	Unknown bool // the chain did not return the nonces
}

// Standing returns the state of the current hold or, of the last lifted one, its
// findings.
func (s *Service) Standing(ctx context.Context) (st Standing, err error) {
	notes, err := s.opt.Store.Notes(ctx, nil)
	if err != nil {
		return st, err
	}
	h, all, err := s.working(ctx, nil)
	if err != nil {
		return st, err
	}
	st.Hold, st.Held = h, len(all)+len(notes) > 0
	if len(all) == 0 {
		if st.Hold, _, err = s.opt.Store.LastHold(ctx); err != nil || st.Hold.ID == 0 {
			return st, err
		}
	}
	if st.Found, err = s.opt.Store.Found(ctx, nil, st.Hold.ID); err != nil || !st.Held {
		return st, err
	}
	if st.Waiting, err = s.opt.Store.Approved(ctx, nil); err != nil || s.opt.Chain == nil || s.opt.Chain.Sender() == "" {
		return st, err
	}
	w, _, err := s.opt.Store.Wallet(ctx, nil, s.opt.Chain.Sender())
	if err != nil {
		return st, err
	}
	used, uerr := s.opt.Chain.Used(ctx, s.opt.Chain.Sender())
	st.Nonces.Latest, st.Nonces.Pending, st.Nonces.ForGood, st.Nonces.Known, st.Unknown = used.Latest, used.Pending, used.ForGood, w.Next, uerr != nil
	return st, nil
}

// HoldPayload is the canonical form of everything that lifting a hold decides. HoldDigest
// hashes it.
func HoldPayload(h Hold, found []Found, waiting []Unpaid) []byte {
	type foundLine struct {
		Hash       string `json:"hash"`
		From       string `json:"from"`
		To         string `json:"to"`
		Amount     string `json:"amount"`
		Withdrawal int64  `json:"withdrawal"`
		Own        bool   `json:"own"`
		Dismissed  bool   `json:"dismissed"`
	}
	type waitingLine struct {
		Withdrawal int64  `json:"withdrawal"`
		UID        int64  `json:"uid"`
		Batch      int64  `json:"batch"`
		Address    string `json:"address"`
		Amount     string `json:"amount"`
	}
	paid, pay := []foundLine{}, []waitingLine{}
	taken := map[int64]bool{}
	for _, f := range found {
		paid = append(paid, foundLine{f.Hash, f.From, f.To, f.Amount.String(), f.Withdrawal, f.Own, !f.Dismissed.At.IsZero()})
		taken[f.Withdrawal] = taken[f.Withdrawal] || f.paid()
	}
	for _, w := range waiting {
		if !taken[w.ID] {
			pay = append(pay, waitingLine{w.ID, w.UID, w.Batch, w.Address, w.Amount.String()})
		}
	}
	return shape.Canonical(struct {
		Kind  string        `json:"kind"`
		Hold  int64         `json:"hold"`
		Cause Cause         `json:"cause"`
		Since string        `json:"since"`
		Until int64         `json:"until"`
		Found []foundLine   `json:"found"`
		Pay   []waitingLine `json:"pay"`
	}{"payout hold", h.ID, h.Cause, h.Since.UTC().Format(time.RFC3339Nano), h.Until, paid, pay})
}

// HoldDigest is the SHA-256 of HoldPayload in hex. Both operators who lift a hold send
// it.
func HoldDigest(h Hold, found []Found, waiting []Unpaid) string {
	sum := sha256.Sum256(HoldPayload(h, found, waiting))
	return hex.EncodeToString(sum[:])
}

func parseReason(why string) (string, error) {
	why = strings.TrimSpace(why)
	if n := utf8.RuneCountInString(why); n < 3 || n > 200 || !utf8.ValidString(why) || strings.ContainsFunc(why, unicode.IsControl) {
		return "", errs.BadField("reason", "approval.reason_3_200", "The reason has 3 to 200 characters, on one line.")
	}
	return why, nil
}

// Candidate is a withdrawal that a transfer may have paid.
type Candidate struct {
	ID, Batch int64
	State     withdrawal.State
	Address   string
	Amount    money.Amount
}

// rank orders candidates: those that a batch was paying come first.
func (c Candidate) rank() int {
	switch {
	case c.State == withdrawal.Sent:
		return 0
	case c.State == withdrawal.Approved && c.Batch != 0:
		return 1
	case c.State == withdrawal.Approved:
		return 2
	}
	return 3
}

// match assigns to each found transfer the withdrawal that it paid or may have paid: one
// with the same address and amount, each at most once.
func match(found []Found, open []Candidate) {
	slices.SortStableFunc(open, func(a, b Candidate) int { return cmp.Or(a.rank()-b.rank(), cmp.Compare(a.ID, b.ID)) })
	taken := map[int64]bool{}
	for _, own := range []bool{true, false} { // transfers of the hot wallet first
		for i := range found {
			f := &found[i]
			if f.Own != own {
				continue
			}
			for _, c := range open {
				if !taken[c.ID] && strings.EqualFold(c.Address, f.To) && c.Amount == f.Amount {
					f.Withdrawal, taken[c.ID] = c.ID, true
					break
				}
			}
		}
	}
}

// NewNote records that a backup made at some time, ending at a batch, was restored now.
func NewNote(made time.Time, batch int64, now time.Time) Note {
	return Note{ID: strings.ToLower(rand.Text()), Made: made, Batch: batch, At: now}
}

package payout

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// A database that was restored is an older copy: payouts may have been signed,
// broadcast and mined that it does not know, and paying what it takes for unpaid
// would pay it twice. So payouts are held, until operators adopt the state:
//
//   - held: nothing is batched, signed or broadcast, and no open withdrawal ends.
//   - settling, when an operator has asked for it: every nonce that a lost payment
//     may have is used for good, by the payments that this database knows, or by
//     transactions that pay nobody. From then on nothing that was signed in the lost
//     time can be mined any more.
//   - settled: what the hot wallet paid since, and what the addresses of open
//     withdrawals got, was read from the chain and matched.
//   - lifted, by two operators who saw the same: a withdrawal that was found paid is
//     noted as Sent by the transaction that paid it, and the rest may be paid.

// Cause is why payouts are held.
type Cause string

// The causes.
const (
	CauseRestore Cause = "restore" // a backup was restored
	CauseChain   Cause = "chain"   // the chain has transactions of the hot wallet that the database does not know
)

// HoldState is how far a hold has come.
type HoldState string

// The states of a hold.
const (
	Held     HoldState = "held"
	Settling HoldState = "settling"
	Settled  HoldState = "settled"
	Lifted   HoldState = "lifted"
)

// Hold keeps payouts from being made.
type Hold struct {
	ID     int64
	Cause  Cause
	Note   string // of the restore that caused it
	Detail string
	Since  time.Time // from when on the chain is looked at
	At     time.Time
	State  HoldState
	Sender string // the hot wallet, as it was settled
	Until  int64  // nonces below it are used for good before it is settled
	Begun  Mark   // of settling
	First  Mark   // of the two who lift it
	Digest string // of what the first saw
	Lifted Mark
	Alone  approval.Alone // why one operator was enough
	Reason string         // the last that an operator gave
}

// Found is a transfer that the chain has and the database does not know.
type Found struct {
	Hold, N      int64
	Hash         string
	From, To     string
	Amount       money.Amount
	Block        int64
	Withdrawal   int64 // that it paid, or may have paid; 0 for none
	Own          bool  // out of the hot wallet
	Dismissed    Mark  // it did not pay the withdrawal, an operator says
	DismissedFor string
}

// paid tells whether it counts as the payment of its withdrawal.
func (f Found) paid() bool { return f.Withdrawal != 0 && f.Dismissed.At.IsZero() }

// Note says that a backup was restored.
type Note struct {
	ID    string
	Made  time.Time // the backup
	Batch int64     // where it ends
	At    time.Time
}

var errHeld = errs.New(errs.Refused, "payout.held", "Payouts are held: the database is an older copy, and what was paid since must be looked for first. See Payouts in the console.")

// working are the holds that are not lifted, as one: the newest, with the earliest
// time of all; false if there is none.
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

// unheld is Refused while payouts are held, or a restore was not taken note of.
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

// HeldFor says why payouts are held; empty while they are not.
func (s *Service) HeldFor(ctx context.Context) (string, error) {
	err := s.unheld(ctx, nil)
	if err == nil || !errs.Is(err, errs.Refused) {
		return "", err
	}
	h, _, err := s.working(ctx, nil)
	if err != nil || h.Detail == "" {
		return errs.MessageOf(errHeld), err
	}
	return h.Detail, nil
}

// Open is nil if a withdrawal may be paid, turned down or taken back: Refused while
// payouts are held, or if a transaction was found that paid it and is not noted.
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
			return errs.New(errs.Refused, "payout.transfer_paid_withdrawal", "Transaction {hash} has paid withdrawal {withdrawal}: note it as sent by that.", "hash", f.Hash, "withdrawal", id)
		}
	}
	return nil
}

// holdFor makes a hold, unless there is one of this cause: once for each restore.
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

// TakeNote makes holds of restores that nobody has taken note of. ended is run within
// the same command: whatever signs somebody in without a password ends.
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
			h := Hold{Cause: CauseRestore, Note: n.ID, Since: n.Made, Detail: fmt.Sprintf("On %s the database was replaced by a copy of %s that ends at batch %d.", day(n.At), day(n.Made), n.Batch)}
			if err := s.holdFor(ctx, tx, h); err != nil {
				return err
			}
		}
		return ended(ctx, tx)
	})
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// surprised makes a hold because the chain knows transactions of the hot wallet that
// the database does not.
func (s *Service) surprised(ctx context.Context, w Wallet, detail string) error {
	return s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		since := w.At
		if since.IsZero() { // nothing that waits can have been paid before it was asked for
			oldest, err := s.opt.Store.OldestOpen(ctx, tx)
			if err != nil {
				return err
			}
			since = oldest
		}
		return s.holdFor(ctx, tx, Hold{Cause: CauseChain, Since: since, Detail: detail})
	})
}

// Unpaid is an approved withdrawal that is paid once the hold is lifted.
type Unpaid struct {
	ID, UID, Batch int64
	Address        string
	Amount         money.Amount
}

// Standing is a hold as operators see it.
type Standing struct {
	Hold    Hold
	Held    bool
	Found   []Found
	Waiting []Unpaid
	Nonces  struct{ Latest, Pending, ForGood, Known int64 }
	Unknown bool // the chain did not tell the nonces
}

// Standing is how the hold stands; of a lifted one, what was found.
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

// HoldPayload is all that lifting a hold decides, in the one form that HoldDigest is
// taken of.
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

// HoldDigest is the SHA-256 of HoldPayload: both who lift a hold name it.
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

// rank is 0 for those that a batch was paying: they come first.
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

// match gives each transfer that the database does not know the withdrawal that it
// paid, or may have paid: of the same address and amount, each once.
func match(found []Found, open []Candidate) {
	slices.SortStableFunc(open, func(a, b Candidate) int { return cmp.Or(a.rank()-b.rank(), cmp.Compare(a.ID, b.ID)) })
	taken := map[int64]bool{}
	for _, own := range []bool{true, false} { // the hot wallet's first
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

// NewNote says that a backup of some moment, which ends at a batch, was restored now.
func NewNote(made time.Time, batch int64, now time.Time) Note {
	return Note{ID: strings.ToLower(rand.Text()), Made: made, Batch: batch, At: now}
}

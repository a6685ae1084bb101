package auditlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

type Options struct {
	Store Store
	Clock clock.Clock
	Do    ledger.CommandRunner
}

// Service writes and reads the audit log.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

const (
	maxText = 4000 // bytes of any text of an entry
	maxPage = 1000
	// Actor of the commands that add hashes to the signed chain.
	Actor = "trail"
)

// Write adds an entry within the command that does the act. It sets the number,
// time and hash. Internal if a text is too long or the act is empty.
func (s *Service) Write(ctx context.Context, tx *ledger.Tx, e Entry) error {
	for _, text := range []string{e.Name, e.Act, e.Subject, e.Was, e.Became, e.Reason} {
		if len(text) > maxText || !utf8.ValidString(text) {
			return fmt.Errorf("audit log: an entry about %q is too long or not valid text", e.Act)
		}
	}
	if e.Act == "" {
		return errors.New("audit log: an entry without an act")
	}
	no, prev, err := s.opt.Store.Last(ctx, tx)
	if err != nil {
		return err
	}
	e.No, e.At = no+1, s.opt.Clock.Now()
	e.Hash = e.after(prev)
	return s.opt.Store.Add(ctx, tx, e)
}

// List returns entries, newest first, at most a thousand; more reports whether
// there are older ones.
func (s *Service) List(ctx context.Context, f Filter) (found []Entry, more bool, err error) {
	limit := min(max(f.Limit, 1), maxPage)
	f.Limit = limit + 1
	if found, err = s.opt.Store.List(ctx, f); err != nil {
		return nil, false, errs.Wrap(errs.Unavailable, err, "trail.unreadable", "The audit log cannot be read. Try again in a moment.")
	}
	return found[:min(len(found), limit)], len(found) > limit, nil
}

// Seal adds the newest entry's hash to the signed chain, unless it is there
// already.
func (s *Service) Seal(ctx context.Context) error {
	no, hash, err := s.opt.Store.Last(ctx, nil)
	if err != nil || no == 0 {
		return err
	}
	body, err := json.Marshal(Seal{no, hash[:]})
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: Actor, Key: "seal " + strconv.FormatInt(no, 10), Body: body, Run: func(context.Context, *ledger.Tx) ([]byte, error) {
		return body, nil
	}})
	return err
}

// Summary is the result of a successful Check.
type Summary struct {
	Entries int64 `json:"entries"`
	Sealed  int64 `json:"sealed"` // the last entry whose hash is in the signed chain
}

// String returns the summary as a sentence.
func (s Summary) String() string {
	return fmt.Sprintf("The operators' record is right: %d entries, sealed up to %d.", s.Entries, s.Sealed)
}

// Check hashes every entry again and compares the hashes with the signed chain. The
// error is a *Finding if an entry is wrong.
func Check(ctx context.Context, store Store) (sum Summary, err error) {
	seals := map[int64][]byte{}
	err = store.Seals(ctx, Actor, func(answer []byte) error {
		var seal Seal
		if err := json.Unmarshal(answer, &seal); err != nil {
			return &Finding{0, "a seal in the chain cannot be read"}
		}
		seals[seal.No], sum.Sealed = seal.Hash, max(sum.Sealed, seal.No)
		return nil
	})
	if err != nil {
		return sum, err
	}
	var prev Hash
	err = store.Each(ctx, func(e Entry) error {
		sum.Entries++
		switch want := e.after(prev); {
		case e.No != sum.Entries:
			return &Finding{sum.Entries, "it is missing"}
		case e.Hash != want:
			return &Finding{e.No, "it is not what was written, or what stood before it is not"}
		}
		if seal, ok := seals[e.No]; ok && string(seal) != string(e.Hash[:]) {
			return &Finding{e.No, "the signed chain says otherwise: the record was rewritten"}
		}
		prev = e.Hash
		return nil
	})
	if err == nil && sum.Sealed > sum.Entries {
		err = &Finding{sum.Entries + 1, "it is missing: the signed chain knows of more entries"}
	}
	return sum, err
}

// Act is an operator's act about money. It is stored in a table of acts and as an
// entry of the audit log.
type Act struct {
	ID, Kind, Subject, Reference string
	Amount                       money.Amount
	Operator                     int64
	Name                         string
	At                           time.Time
	// Only for the entry: the member concerned, whether the member may see it, and
	// the State before and after.
	Member      int64
	Shown       bool
	Was, Became string
}

// Record stores an act and its entry, within the command that does the act.
func (s *Service) Record(ctx context.Context, tx *ledger.Tx, a Act) error {
	if err := s.opt.Store.AddAct(ctx, tx, a); err != nil {
		return err
	}
	if a.Became == "" && !a.Amount.IsZero() {
		a.Became = State(map[string]string{"amount": a.Amount.String()})
	}
	return s.Write(ctx, tx, Entry{
		Operator: a.Operator, Name: a.Name, Act: a.Kind, Member: a.Member, Subject: a.Subject, Was: a.Was, Became: a.Became, Reason: a.Reference, Shown: a.Shown,
	})
}

// LastAct returns the latest act of a kind about a subject, within a command. The
// error is a *ledger.TamperedError if the stored act was changed by hand.
func (s *Service) LastAct(ctx context.Context, tx *ledger.Tx, kind, subject string) (Act, bool, error) {
	return s.opt.Store.LastAct(ctx, tx, kind, subject)
}

package auditlog

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

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

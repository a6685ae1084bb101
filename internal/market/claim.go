package market

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/invest"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/tree"
)

// FindClaim reads a claim within a command. NotFound if there is none.
func (s *Service) FindClaim(ctx context.Context, rows ledger.Rows, id string) (invest.Claim, error) {
	c, found, err := s.opt.Positions.GetClaim(ctx, rows, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "There is no claim %s.", id)
	}
	return c, err
}

// Recall moves cash from a line to cover one claim. Refused above what the
// claim still needs.
func (s *Service) Recall(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, id string, a money.Amount) error {
	c, err := s.FindClaim(ctx, rows, id)
	if err != nil {
		return err
	}
	needs, err := c.Net.Sub(c.Recalled)
	switch {
	case err != nil:
		return err
	case c.Done:
		return errs.New(errs.Refused, "already claimed")
	case a.Sign() <= 0 || needs.Less(a):
		return errs.New(errs.Refused, "recall %s above the claim's open amount %s", a, needs)
	}
	minus, err := a.Neg()
	if err != nil {
		return err
	}
	if _, err := tx.Post(ledger.Transfer{Kind: "recall", Reference: id, Legs: []ledger.Leg{
		{Account: ledger.MustAccount("A:TRADING:" + c.Line), Delta: minus}, {Account: ledger.MustAccount("A:CLIENT"), Delta: a},
	}}); err != nil {
		return err
	}
	return s.opt.Positions.Recall(ctx, rows, id, a)
}

// NotFunded is said of a claim whose cash has not been recalled yet.
const NotFunded = "not funded yet"

// Claim pays a matured position out to its member. Refused until its cash has
// been recalled, and the second time.
func (s *Service) Claim(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e closing.Event, id string, uid int64) error {
	c, err := s.FindClaim(ctx, rows, id)
	if err != nil {
		return err
	}
	owner, _ := s.opt.Tree.Get(tree.No(c.No))
	switch {
	case owner.UID != uid:
		return errs.New(errs.Refused, "not the member's claim")
	case c.Done:
		return errs.New(errs.Refused, "already claimed")
	case c.Recalled.Less(c.Net):
		return errs.New(errs.Refused, NotFunded)
	}
	p, day, err := s.opt.Closing.Open(ctx, rows, e)
	if err != nil {
		return err
	}
	x, _, err := s.opt.Positions.Get(ctx, rows, c.Position)
	if err != nil {
		return err
	}
	principal, held := x.Principal.Micros()-x.Loss.Micros(), c.Income.Micros()+x.Loss.Micros()
	who := strconv.FormatInt(uid, 10)
	t := ledger.Transfer{Kind: "claim", Reference: id, Effective: e.At}
	for _, l := range []struct {
		code  string
		delta int64
	}{
		{"L:PRINCIPAL:" + c.Line + ":" + who + ":" + c.Position, -principal},
		{"L:ROI_HELD:" + c.Line, -held},
		{"L:INCOME:" + p.Lines[c.Line].Income + ":" + who, c.Net.Micros()},
		{"A:CLIENT", -c.Net.Micros()},
		{"A:FIELD", c.Net.Micros()},
	} {
		if l.delta == 0 {
			continue
		}
		account, err := ledger.ParseAccount(l.code)
		if err != nil {
			return err
		}
		t.Legs = append(t.Legs, ledger.Leg{Account: account, Delta: money.Micro(l.delta)})
	}
	if len(t.Legs) > 0 {
		if _, err := tx.Post(t); err != nil {
			return err
		}
	}
	if err := s.opt.Positions.Done(ctx, rows, id, day); err != nil {
		return err
	}
	if err := s.opt.Positions.SetPosition(ctx, rows, c.Position, x.Loss, invest.Claimed); err != nil {
		return err
	}
	if err := s.opt.Closing.Thaw(ctx, rows, c.Line, held); err != nil {
		return err
	}
	return s.leave(ctx, tx, rows, uid, x)
}

// leave takes a position out of what its member has invested: what is paid out
// is no open principal any more.
func (s *Service) leave(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, uid int64, x invest.Position) error {
	m, err := s.find(ctx, rows, uid)
	if err != nil {
		return err
	}
	minus, err := x.Principal.Neg()
	if err != nil {
		return err
	}
	return s.change(ctx, tx, rows, uid, m.Active, lineOf[x.Line], minus)
}

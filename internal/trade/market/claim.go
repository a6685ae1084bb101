package market

import (
	"context"
	"fmt"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// FindClaim reads a claim within a command. NotFound if there is none.
func (s *Service) FindClaim(ctx context.Context, tx *ledger.Tx, id string) (invest.Claim, error) {
	c, found, err := s.opt.Positions.GetClaim(ctx, tx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "claim.not_found", "There is no claim {claim}.", "claim", id)
	}
	return c, err
}

// Claimed is a claim with its member and the cash that its line can recall.
type Claimed struct {
	invest.Claim
	UID       int64
	Available money.Amount
}

// Claims returns a page of the claims that match f, of one member or of all for uid 0,
// their total count and the cash that they still need. NotFound if there is no such
// member.
func (s *Service) Claims(ctx context.Context, uid int64, f invest.ClaimFilter) (page []Claimed, total int64, need money.Amount, err error) {
	if uid != 0 {
		if f.No = int64(s.opt.Tree.Find(uid)); f.No == 0 {
			return nil, 0, need, errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
		}
	}
	found, total, need, err := s.opt.Positions.Claims(ctx, f)
	if err != nil || len(found) == 0 {
		return nil, total, need, err
	}
	cash, err := s.opt.Positions.Cash(ctx)
	for _, c := range found {
		owner, _ := s.opt.Tree.Get(tree.No(c.No))
		page = append(page, Claimed{c, owner.UID, cash[c.Line]})
	}
	return page, total, need, err
}

// MayRecall returns the claim for a recall of cash. NotFound if there is none; Refused if
// it is done, or needs less.
func (s *Service) MayRecall(ctx context.Context, tx *ledger.Tx, id string, a money.Amount) (invest.Claim, error) {
	c, err := s.FindClaim(ctx, tx, id)
	if err != nil {
		return c, err
	}
	needs, err := c.Net.Sub(c.Recalled)
	switch {
	case err != nil:
		return c, err
	case c.Done:
		return c, errs.New(errs.Refused, "claim.already_claimed", "already claimed")
	case a.Sign() <= 0:
		return c, errs.New(errs.Refused, "claim.recall_not_positive", "recall is above zero, not {amount}", "amount", a)
	case needs.Less(a):
		return c, errs.New(errs.Refused, "claim.recall_above_open", "recall {amount} above the claim's open amount {open}", "amount", a, "open", needs)
	}
	return c, nil
}

// Recall moves cash from a line to client cash for one claim. Errors as for MayRecall.
func (s *Service) Recall(ctx context.Context, tx *ledger.Tx, id string, a money.Amount) error {
	c, err := s.MayRecall(ctx, tx, id, a)
	if err != nil {
		return err
	}
	count, err := s.recalled(ctx, tx, c)
	if err != nil {
		return err
	}
	minus, err := a.Neg()
	if err != nil {
		return err
	}
	if _, err := tx.Post(ledger.Transfer{ID: recallID(id, count+1), Kind: "recall", Reference: id, Legs: []ledger.Leg{
		{Account: ledger.MustAccount("A:TRADING:" + c.Line), Delta: minus}, {Account: ledger.MustAccount("A:CLIENT"), Delta: a},
	}}); err != nil {
		return err
	}
	return s.opt.Positions.Recall(ctx, tx, id, a)
}

// recallID numbers the recalls of a claim, so that the ledger finds them by id.
func recallID(claim string, n int64) string { return fmt.Sprintf("recall/%s/%d", claim, n) }

// recalled counts a claim's recalls. Refused if the ledger's sum differs from the
// claim's: otherwise other members' deposits would pay for it.
func (s *Service) recalled(ctx context.Context, tx *ledger.Tx, c invest.Claim) (count int64, err error) {
	sum, fresh, freshCount := int64(0), int64(0), int64(0)
	tx.Unwritten(func(t *ledger.TransferRow, e *ledger.EntryRow) {
		if t.Kind == "recall" && t.Reference == c.ID && e.Kind == "A:CLIENT" {
			fresh, freshCount = fresh+e.Delta, freshCount+1
		}
	})
	const some = 16
	for more := true; more; {
		ids := make([]string, some)
		for i := range ids {
			ids[i] = recallID(c.ID, count+int64(i)+1)
		}
		part, n, err := s.opt.Positions.RecalledBy(ctx, tx, ids)
		if err != nil {
			return 0, err
		}
		sum, count, more = sum+part, count+n, n == some
	}
	if sum+fresh != c.Recalled.Micros() {
		return 0, errs.New(errs.Refused, "claim.recalls_differ", "Claim {claim} has {recalled} recalled, but the ledger has {ledger}. An operator must run 'bifolia verify'.", "claim", c.ID, "recalled", c.Recalled, "ledger", money.Micro(sum+fresh))
	}
	return count + freshCount, nil
}

// NotFunded is the text for a claim whose cash has not been recalled yet.
const NotFunded = "not funded yet"

// Claim pays a matured position to its member, once. Refused until its cash has been
// recalled according to the claim and the ledger.
func (s *Service) Claim(ctx context.Context, tx *ledger.Tx, e closing.Event, id string, uid int64) error {
	c, err := s.payable(ctx, tx, id, uid)
	if err != nil {
		return err
	}
	p, day, err := s.opt.Closing.Open(ctx, tx, e)
	if err != nil {
		return err
	}
	x, _, err := s.opt.Positions.Get(ctx, tx, c.Position)
	if err != nil {
		return err
	}
	held, who := money.Micro(c.Income.Micros()+x.Loss.Micros()), strconv.FormatInt(uid, 10)
	t, err := withLegs(ledger.Transfer{Kind: "claim", Reference: id, Effective: e.At}, []leg{
		{"L:PRINCIPAL:" + c.Line + ":" + who + ":" + c.Position, money.Micro(x.Loss.Micros() - x.Principal.Micros())},
		{"L:ROI_HELD:" + c.Line, money.Micro(-held.Micros())},
		{"L:INCOME:" + p.Lines[c.Line].Income + ":" + who, c.Net},
		{"A:CLIENT", money.Micro(-c.Net.Micros())},
		{"A:FIELD", c.Net},
	})
	if err != nil {
		return err
	}
	if len(t.Legs) > 0 {
		if _, err := tx.Post(t); err != nil {
			return err
		}
	}
	if err := s.opt.Positions.Done(ctx, tx, id, day); err != nil {
		return err
	}
	if err := s.opt.Positions.SetPosition(ctx, tx, c.Position, x.Loss, invest.Claimed); err != nil {
		return err
	}
	if err := s.opt.Closing.Thaw(ctx, tx, c.Line, held.Micros()); err != nil {
		return err
	}
	return s.leave(ctx, tx, uid, x)
}

// payable returns a claim that its member can collect now.
func (s *Service) payable(ctx context.Context, tx *ledger.Tx, id string, uid int64) (invest.Claim, error) {
	c, err := s.FindClaim(ctx, tx, id)
	if err != nil {
		return c, err
	}
	owner, _ := s.opt.Tree.Get(tree.No(c.No))
	switch {
	case owner.UID != uid:
		return c, errs.New(errs.Refused, "claim.other_member", "not the member's claim")
	case c.Done:
		return c, errs.New(errs.Refused, "claim.already_claimed", "already claimed")
	case c.Recalled.Less(c.Net):
		return c, errs.New(errs.Refused, "claim.not_funded", NotFunded)
	}
	_, err = s.recalled(ctx, tx, c)
	return c, err
}

// leave subtracts a position from its member's open principal.
func (s *Service) leave(ctx context.Context, tx *ledger.Tx, uid int64, x invest.Position) error {
	m, err := s.find(ctx, tx, uid)
	if err != nil {
		return err
	}
	minus, err := x.Principal.Neg()
	if err != nil {
		return err
	}
	return s.change(ctx, tx, uid, m.Active, lineOf[x.Line], minus)
}

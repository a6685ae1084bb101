package market

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// Order is a purchase by a signed-in member, for itself or for another, from its own
// fund.
type Order struct {
	By       auth.Session
	Key      string // idempotency key
	Password string // the transaction password
	Purchase
}

// newID returns a new id of a sale or a position.
func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()[:16]) }

// Activate buys a Robot package. Errors: those of Buy and of auth's
// CheckTransactionPassword; Forbidden during an impersonation; Refused while the payer or
// the receiving member is under review, and for another member while the payer's money
// waits or is held.
func (s *Service) Activate(ctx context.Context, o Order) error {
	o.ID = newID("s")
	return s.order(ctx, o, "buy", s.Buy)
}

// Open invests. Errors as for Activate.
func (s *Service) Open(ctx context.Context, o Order) error {
	if s.opt.Licences[o.Line] == "" {
		return errs.New(errs.Refused, "invest.line_not_offered", "{line} is not offered here.", "line", o.Line)
	}
	o.ID = newID("p")
	return s.order(ctx, o, "invest", s.Invest)
}

// order checks the transaction password and runs one purchase.
func (s *Service) order(ctx context.Context, o Order, what string, buy func(context.Context, *ledger.Tx, Purchase) error) error {
	if err := o.By.MayPay(); err != nil {
		return err
	}
	o.Payer = o.By.Owner
	asked := o.Purchase
	asked.Event = closing.Event{} // the server sets id and time
	body, err := json.Marshal(struct {
		What  string
		Asked Purchase
	}{what, asked})
	if err != nil {
		return err
	}
	return s.prove(ctx, o.By, o.Password, o.Key, body, func(ctx context.Context, tx *ledger.Tx) error {
		o.At, o.Recorded = tx.Now(), tx.Now()
		if m, found, err := s.opt.Members.GetIn(ctx, tx, o.UID); err != nil {
			return err
		} else if found && m.Blocked() { // command checks the payer
			return errs.New(errs.Refused, "sale.member_under_review", "This member's account is under review, so nothing can be bought for it.")
		}
		o.byMember = true
		if err := buy(ctx, tx, o.Purchase); err != nil {
			return err
		}
		return s.opt.Closing.Note(ctx, tx, o.event(what), "")
	})
}

// mayGive returns Refused for a purchase for another member while the payer's money waits
// or is held, because the other member owns the purchase. Money for a payer's own
// purchase stays with the company.
func (s *Service) mayGive(ctx context.Context, tx *ledger.Tx, b Purchase, k fund.Kind, due money.Amount) error {
	if !b.byMember || b.UID == b.Payer {
		return nil
	}
	wait, err := s.opt.Auth.WaitIn(ctx, tx, b.Payer)
	if err == nil {
		err = wait.Refuse(tx.Now())
	}
	if err != nil {
		return err
	}
	return s.opt.Funds.MayLeave(ctx, tx, b.Payer, k, due)
}

// event is the event of a purchase, with its scenario fields.
func (o Order) event(what string) closing.Event {
	fields := map[string]any{"uid": id(o.UID), "payer": id(o.Payer), "package": o.Package}
	if what == "buy" {
		fields["topup"] = o.Topup
	} else {
		fields["line"], fields["amount"] = o.Line, o.Amount.String()
	}
	return o.Is(what, fields)
}

func id(uid int64) string { return strconv.FormatInt(uid, 10) }

// prove checks the transaction password and runs a command with it.
func (s *Service) prove(ctx context.Context, by auth.Session, password, key string, body []byte, run func(context.Context, *ledger.Tx) error) error {
	proof, err := s.opt.Auth.CheckTransactionPassword(ctx, by.Owner, password)
	if err != nil {
		return err
	}
	_, err = proof.Do(ctx, s.command(by, key, body, run))
	return err
}

// command is a command of a member. Refused while the member is under review.
func (s *Service) command(by auth.Session, key string, body []byte, run func(context.Context, *ledger.Tx) error) ledger.Command {
	return ledger.Command{Actor: actor.Member(by.Owner), Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		m, found, err := s.opt.Members.GetIn(ctx, tx, by.Owner)
		if err != nil {
			return nil, err
		}
		if !found || m.Blocked() {
			return nil, errs.New(errs.Refused, "member.under_review", "Your account is under review, so its money is frozen.")
		}
		err = run(ctx, tx)
		if errors.As(err, new(*ledger.TamperedError)) { // the cause stays wrapped, so that payments freeze
			err = errs.Wrap(errs.Conflict, err, "sale.tampered", "The record of this purchase was tampered with. Contact support.")
		}
		return nil, err
	}}
}

// Return refunds a sale during its cooling-off to the payer, who must ask for it. Refused
// afterwards, and while the payer's upgrade of the same package is not returned: what is
// left is then always a package that was bought.
func (s *Service) Return(ctx context.Context, by auth.Session, key, password, id string) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	return s.prove(ctx, by, password, key, []byte("refund "+id), func(ctx context.Context, tx *ledger.Tx) error {
		x, found, err := s.opt.Sales.Get(ctx, tx, id)
		if err != nil {
			return err
		}
		if !found || x.Payer != by.Owner {
			return errs.New(errs.NotFound, "sale.not_yours", "You have no such purchase.")
		}
		if _, newer, err := s.opt.Sales.Newer(ctx, tx, x); err != nil {
			return err
		} else if newer && x.State == sale.Cooling {
			return errs.New(errs.Refused, "sale.newer_first", "This package was upgraded. Return the newest upgrade first.")
		}
		if err := s.Refund(ctx, tx, id); err != nil {
			return err
		}
		if err := s.tellReturned(ctx, tx, x); err != nil {
			return err
		}
		e := closing.Event{ID: newID("r"), At: tx.Now(), Recorded: tx.Now()}
		return s.opt.Closing.Note(ctx, tx, e.Is("refund", map[string]any{"sale": id}), "")
	})
}

// Collect claims a matured position of the member. Refused until its cash has been
// recalled.
func (s *Service) Collect(ctx context.Context, by auth.Session, key, id string) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	_, err := s.opt.Do.Do(ctx, s.command(by, key, []byte("claim "+id), func(ctx context.Context, tx *ledger.Tx) error {
		e := closing.Event{ID: newID("c"), At: tx.Now(), Recorded: tx.Now()}
		if err := s.Claim(ctx, tx, e, id, by.Owner); err != nil {
			return err
		}
		if err := s.tellPaid(ctx, tx, id, by.Owner); err != nil {
			return err
		}
		return s.opt.Closing.Note(ctx, tx, e.Is("claim", map[string]any{"claim": id, "uid": strconv.FormatInt(by.Owner, 10)}), "")
	}))
	return err
}

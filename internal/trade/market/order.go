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
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Order is a signed-in member who buys, for itself or for another, out of its
// own fund.
type Order struct {
	By       auth.Session
	Key      string // idempotency key
	Password string // the transaction password
	Purchase
}

// newID names a sale or a position.
func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()[:16]) }

// Activate buys a Robot package. Errors: those of Buy and of auth's
// CheckTransactionPassword; Forbidden for a visit; Refused while the payer or the
// member it is bought for is blocked, and for another while the payer's money waits or is held.
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

// order proves the transaction password and runs one purchase.
func (s *Service) order(ctx context.Context, o Order, what string, buy func(context.Context, *ledger.Tx, Purchase) error) error {
	if err := o.By.MayPay(); err != nil {
		return err
	}
	o.Payer = o.By.Owner
	asked := o.Purchase
	asked.Event = closing.Event{} // the id and the time are ours, not the request's
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
		} else if found && m.Blocked() { // the payer is asked by command
			return errs.New(errs.Refused, "sale.member_under_review", "This member's account is under review: nothing can be bought for it.")
		}
		o.guarded = true
		if err := buy(ctx, tx, o.Purchase); err != nil {
			return err
		}
		return s.opt.Closing.Note(ctx, tx, o.told(what), "")
	})
}

// mayGive refuses to pay for another member while the payer's money waits, or is held:
// what is bought for another is theirs. What a payer buys for itself stays in the house.
func (s *Service) mayGive(ctx context.Context, tx *ledger.Tx, b Purchase, k fund.Kind, due money.Amount) error {
	if !b.guarded || b.UID == b.Payer {
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

// tellPayer mails a payer the receipt of what was bought for another member: whoever
// has taken the account over must not give its money away in silence.
func (s *Service) tellPayer(ctx context.Context, tx *ledger.Tx, b Purchase, k fund.Kind, due money.Amount) error {
	if !b.guarded || b.UID == b.Payer {
		return nil
	}
	payer, _, err := s.opt.Members.GetIn(ctx, tx, b.Payer)
	if err != nil || payer.Email == "" {
		return err
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, payer.Email, mail.TransferSent{
		Name: payer.Name, UserID: b.Payer, To: b.UID, Amount: due.Short() + " USDT", Fund: k.Name(), Bought: true,
	})
}

// told is the event of a purchase, as a scenario tells it.
func (o Order) told(what string) closing.Event {
	fields := map[string]any{"uid": id(o.UID), "payer": id(o.Payer), "package": o.Package}
	if what == "buy" {
		fields["topup"] = o.Topup
	} else {
		fields["line"], fields["amount"] = o.Line, o.Amount.String()
	}
	return o.Is(what, fields)
}

func id(uid int64) string { return strconv.FormatInt(uid, 10) }

// prove checks the transaction password and runs work that it allows.
func (s *Service) prove(ctx context.Context, by auth.Session, password, key string, body []byte, run func(context.Context, *ledger.Tx) error) error {
	proof, err := s.opt.Auth.CheckTransactionPassword(ctx, by.Owner, password)
	if err != nil {
		return err
	}
	_, err = proof.Do(ctx, s.command(by, key, body, run))
	return err
}

// command is a member's command; a blocked member's money stands still.
func (s *Service) command(by auth.Session, key string, body []byte, run func(context.Context, *ledger.Tx) error) ledger.Command {
	return ledger.Command{Actor: actor.Member(by.Owner), Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		m, found, err := s.opt.Members.GetIn(ctx, tx, by.Owner)
		if err != nil {
			return nil, err
		}
		if !found || m.Blocked() {
			return nil, errs.New(errs.Refused, "member.under_review", "Your account is under review: its money stands still.")
		}
		err = run(ctx, tx)
		if errors.As(err, new(*ledger.TamperedError)) { // what was found stays the cause, for which money stands still
			err = errs.Wrap(errs.Conflict, err, "sale.tampered", "This purchase was changed by somebody who may not. Nothing is paid until that is cleared up: contact support.")
		}
		return nil, err
	}}
}

// Return gives a sale back while it cools off. Only who paid it may ask.
// Refused after the cooling-off.
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
			return errs.New(errs.NotFound, "sale.not_yours", "There is no such purchase of yours.")
		}
		if err := s.Refund(ctx, tx, id); err != nil {
			return err
		}
		e := closing.Event{ID: newID("r"), At: tx.Now(), Recorded: tx.Now()}
		return s.opt.Closing.Note(ctx, tx, e.Is("refund", map[string]any{"sale": id}), "")
	})
}

// Collect claims a matured position of the member's own. Refused until its
// cash has been recalled.
func (s *Service) Collect(ctx context.Context, by auth.Session, key, id string) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	_, err := s.opt.Do.Do(ctx, s.command(by, key, []byte("claim "+id), func(ctx context.Context, tx *ledger.Tx) error {
		e := closing.Event{ID: newID("c"), At: tx.Now(), Recorded: tx.Now()}
		if err := s.Claim(ctx, tx, e, id, by.Owner); err != nil {
			return err
		}
		return s.opt.Closing.Note(ctx, tx, e.Is("claim", map[string]any{"claim": id, "uid": strconv.FormatInt(by.Owner, 10)}), "")
	}))
	return err
}

package cashier

import (
	"context"
	"encoding/json"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// TransferDigits limits the length of a transfer's amount.
const TransferDigits = 6

// TextNobody is the error text for an unknown member.
const TextNobody = "Sponsor Id doesnot exists !!"

// fieldReceiver is the form field of the receiver.
const fieldReceiver = "user_id"

// Transfer is a transfer from one of a member's funds to another member.
type Transfer struct {
	To       int64
	Fund     fund.Kind
	Amount   money.Amount // whole dollars, as ParseAmount reads them
	Password string       // the transaction password
}

// Transfer moves money to another member, without a fee, and mails both.
// Refused, with a text for the member, if the receiver is the sender, unknown or under
// review, if the sender is under review or has a running waiting period (see auth's
// waits.go), or if the fund has too little or the money is held (see fund's held.go).
// Errors: also those of auth's CheckTransactionPassword; Forbidden during an
// impersonation.
func (s *Service) Transfer(ctx context.Context, by auth.Session, key string, t Transfer) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	if t.To == by.Owner {
		return errs.At(errs.Refused, fieldReceiver, "transfer.to_yourself", "You cannot transfer to yourself.")
	}
	body, err := json.Marshal(struct {
		What, Fund string
		To         int64
		Amount     money.Amount
	}{"transfer", string(t.Fund), t.To, t.Amount})
	if err != nil {
		return err
	}
	from, err := t.Fund.Account(by.Owner)
	if err != nil {
		return err
	}
	to, err := t.Fund.Account(t.To)
	if err != nil {
		return err
	}
	proof, err := s.opt.Auth.CheckTransactionPassword(ctx, by.Owner, t.Password)
	if err != nil {
		return err
	}
	cmd := command(actor.Member(by.Owner), key, body, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, s.move(ctx, tx, by.Owner, t)
	})
	cmd.Touches = []ledger.Account{from, to}
	_, err = proof.Do(ctx, cmd)
	return err
}

func (s *Service) move(ctx context.Context, tx *ledger.Tx, from int64, t Transfer) error {
	both, err := s.opt.Members.CardsIn(ctx, tx, from, t.To)
	if err != nil {
		return err
	}
	giver, known := both[from]
	receiver, found := both[t.To]
	switch {
	case !known || giver.Blocked():
		return errUnderReview
	case !found:
		return errs.At(errs.Refused, fieldReceiver, "member.sponsor_unknown", TextNobody)
	case receiver.Blocked():
		return errs.At(errs.Refused, fieldReceiver, "transfer.receiver_under_review", "This member's account is under review and cannot receive funds.")
	}
	wait, err := s.opt.Auth.WaitIn(ctx, tx, from)
	if err == nil {
		err = wait.Refuse(tx.Now())
	}
	if err == nil {
		err = s.opt.Funds.MayLeave(ctx, tx, from, t.Fund, t.Amount)
	}
	if err != nil {
		return err
	}
	if err := fund.Transfer(tx, from, t.To, t.Fund, t.Amount, ""); err != nil {
		return err
	}
	if err := s.mail(ctx, tx, giver.Email, mail.TransferSent{
		Name: giver.Name, UserID: from, To: t.To, ToName: receiver.Name, Amount: t.Amount, Fund: t.Fund.Name(),
	}); err != nil {
		return err
	}
	return s.mail(ctx, tx, receiver.Email, mail.TransferReceived{
		Name: receiver.Name, UserID: t.To, From: from, FromName: giver.Name, Amount: t.Amount, Fund: t.Fund.Name(),
	})
}

// Moves lists incoming or outgoing transfers of a member's funds, newest first, with the
// names of the other members and the total count.
func (s *Service) Moves(ctx context.Context, f fund.MoveFilter) (moves []fund.Move, names map[int64]string, count int64, err error) {
	moves, count, err = s.opt.Funds.Moves(ctx, f)
	if err != nil {
		return nil, nil, 0, err
	}
	var others []int64
	for _, m := range moves {
		if m.Other != 0 {
			others = append(others, m.Other)
		}
	}
	cards, err := s.opt.Members.Cards(ctx, others)
	names = map[int64]string{}
	for uid, c := range cards {
		names[uid] = c.Name
	}
	return moves, names, count, err
}

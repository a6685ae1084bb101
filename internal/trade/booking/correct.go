package booking

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// CorrectionStore is the database of corrections. With a nil tx, methods read committed
// data.
type CorrectionStore interface {
	// AddCorrection adds a waiting correction and returns its number.
	AddCorrection(ctx context.Context, tx *ledger.Tx, c Correction) (int64, error)
	// DecideCorrection writes the decision about a waiting correction.
	DecideCorrection(ctx context.Context, tx *ledger.Tx, c Correction) error
	// Correction returns false if there is no such correction.
	Correction(ctx context.Context, tx *ledger.Tx, id int64) (Correction, bool, error)
	// CorrectionsWaiting lists waiting corrections by number, of one member or of all for
	// uid 0.
	CorrectionsWaiting(ctx context.Context, uid int64) ([]Correction, error)
	// CorrectionsDecided lists decided corrections, the latest decision first.
	CorrectionsDecided(ctx context.Context, uid int64, limit int) ([]Correction, error)
	// Standing returns the committed balances of accounts by code. Unused accounts are
	// left out.
	Standing(ctx context.Context, codes []string) (map[string]ledger.Balance, error)
	// Wrong returns what a transfer did to an account; false if nothing.
	Wrong(ctx context.Context, tx *ledger.Tx, transfer, account string) (Wrong, bool, error)
	// CorrectedBefore sums what other waiting or approved corrections take back of a
	// transfer in a wallet.
	CorrectedBefore(ctx context.Context, tx *ledger.Tx, c Correction) (money.Amount, error)
}

// Wrong is the effect of a transfer that a correction reverses.
type Wrong struct {
	Kind  string
	Delta money.Amount // of the wallet
	// Cash is set if it changed nothing but this wallet and client cash.
	Cash bool
}

// Correction returns a correction. NotFound if there is none.
func (s *Service) Correction(ctx context.Context, id int64) (Correction, error) {
	return s.correction(ctx, nil, id)
}

func (s *Service) correction(ctx context.Context, tx *ledger.Tx, id int64) (Correction, error) {
	c, found, err := s.opt.Corrections.Correction(ctx, tx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "correction.not_found", "There is no such correction.")
	}
	return c, err
}

// Corrections lists the waiting corrections and the latest decided ones, of one member or
// of all for uid 0.
func (s *Service) Corrections(ctx context.Context, uid int64) (waiting, decided []Correction, err error) {
	if waiting, err = s.opt.Corrections.CorrectionsWaiting(ctx, uid); err != nil {
		return nil, nil, err
	}
	decided, err = s.opt.Corrections.CorrectionsDecided(ctx, uid, maxDecided)
	return waiting, decided, err
}

// Balances returns the current balances of the wallets of corrections, by account.
func (s *Service) Balances(ctx context.Context, all []Correction) (map[string]ledger.Balance, error) {
	var codes []string
	for _, c := range all {
		codes = append(codes, WalletAccount(c.Wallet, c.UID))
	}
	return s.opt.Corrections.Standing(ctx, codes)
}

// Correct proposes a correction. Invalid for malformed fields and for a transfer that it
// cannot correct; NotFound if there is no such member; Conflict if the member was erased;
// Refused if the wallet, or the company, has too little.
func (s *Service) Correct(ctx context.Context, by actor.By, key string, c Correction) (Correction, error) {
	if err := c.check(); err != nil {
		return Correction{}, err
	}
	body := []any{"propose correction", c.UID, c.Wallet, c.Direction, c.Into, c.Amount, c.Reason, c.Corrects}
	return s.correct(ctx, by, key, body, func(ctx context.Context, tx *ledger.Tx) (int64, error) {
		c := c
		c.By, c.At, c.State = by, tx.Now().UTC().Truncate(time.Microsecond), approval.Waiting
		if err := s.mayCorrect(ctx, tx, &c); err != nil {
			return 0, err
		}
		var err error
		if c.ID, err = s.opt.Corrections.AddCorrection(ctx, tx, c); err != nil {
			return 0, err
		}
		if err := s.enterCorrection(ctx, tx, by, c, " proposed", c.Reason); err != nil {
			return 0, err
		}
		return c.ID, s.mail(ctx, tx, by, approvalmail.Correction, strconv.FormatInt(c.ID, 10)+" of "+mail.Dollars(c.Amount))
	})
}

func (s *Service) correct(ctx context.Context, by actor.By, key string, body any, f func(context.Context, *ledger.Tx) (int64, error)) (Correction, error) {
	id, err := ledger.Run(ctx, s.opt.Do, by.Key(), key, body, f)
	if err != nil {
		return Correction{}, err
	}
	return s.Correction(ctx, id)
}

// mayCorrect checks everything but the ledger's own rules, and sets Against.
func (s *Service) mayCorrect(ctx context.Context, tx *ledger.Tx, c *Correction) error {
	m, found, err := s.opt.Members.GetIn(ctx, tx, c.UID)
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.NotFound, "member.none", "There is no such member.")
	case m.Erased():
		return errs.New(errs.Conflict, "member.erased_no_correction", "The personal data of this member was erased: there is nobody to correct a balance for.")
	}
	c.Against = AgainstCompany
	if c.Direction == Move {
		c.Against = AgainstWallet
	}
	if c.Corrects != "" {
		if err := s.mayReverse(ctx, tx, c); err != nil {
			return err
		}
	}
	if c.Direction != Credit {
		return enough(tx, WalletAccount(c.Wallet, c.UID), c.Amount, c.Wallet+" wallet")
	}
	if c.Against == AgainstCompany {
		// Both hold the same money. They may be negative, so the ledger does not refuse
		// the posting.
		for _, code := range []string{"E:COMPANY", "A:OPERATING"} {
			if err := enough(tx, code, c.Amount, "company's own money"); err != nil {
				return err
			}
		}
	}
	return nil
}

func enough(tx *ledger.Tx, code string, a money.Amount, name string) error {
	account, err := ledger.ParseAccount(code)
	if err != nil {
		return err
	}
	return tx.Enough(account, a, name)
}

// mayReverse checks the transfer that a correction names: it did the opposite to this
// wallet, and not all of it has been corrected.
func (s *Service) mayReverse(ctx context.Context, tx *ledger.Tx, c *Correction) error {
	const field = "corrects"
	w, found, err := s.opt.Corrections.Wrong(ctx, tx, c.Corrects, WalletAccount(c.Wallet, c.UID))
	switch {
	case err != nil:
		return err
	case !found:
		return errs.BadField(field, "correction.nothing_to_correct", "This transfer did not change the wallet.")
	case w.Delta.Sign() == money.Micro(c.signed()).Sign():
		return errs.BadField(field, "correction.same_direction", "This transfer changed the wallet in the same direction as the correction.")
	}
	sum, err := s.opt.Corrections.CorrectedBefore(ctx, tx, *c)
	if err != nil {
		return err
	}
	if sum, err = sum.Add(c.Amount); err != nil {
		return err
	}
	if was := money.Micro(max(w.Delta.Micros(), -w.Delta.Micros())); was.Less(sum) {
		return errs.BadField(field, "correction.more_than_transfer", "This transfer was {amount}. With this correction, {sum} of it would be taken back.", "amount", was.Short(), "sum", sum.Short())
	}
	if w.Cash && c.Direction != Move && (w.Kind == "deposit" || w.Kind == correctionKind) {
		c.Against = AgainstCash
	}
	return nil
}

// DecideCorrection approves or refuses another operator's proposal, or withdraws one's
// own. Errors as for Decide, and Refused if the wallet or the company has too little by
// now, or while payments are frozen.
func (s *Service) DecideCorrection(ctx context.Context, by actor.By, key string, id int64, digest string, approve bool, reason string) (Correction, error) {
	reason = strings.TrimSpace(reason)
	return s.correct(ctx, by, key, []any{"decide correction", id, digest, approve, reason}, func(ctx context.Context, tx *ledger.Tx) (int64, error) {
		c, err := s.correction(ctx, tx, id)
		if err != nil {
			return 0, err
		}
		d, err := approval.Proposal{By: c.By.Operator, State: c.State, Digest: c.Digest()}.Decide(by.Operator, digest, approve, approval.InDemo(s.opt.Demo))
		switch {
		case err != nil:
			return 0, err
		case !fits(reason) || (d.State == approval.Refused && reason == ""):
			return 0, errs.BadField("reason", "approval.reason_1_200", "The reason has 1 to 200 characters, on one line.")
		}
		c.State, c.Alone, c.Decided, c.DecidedAt, c.Answer = d.State, d.Alone, by, tx.Now(), reason
		if approve {
			return id, s.doCorrect(ctx, tx, by, c)
		}
		if err := s.opt.Corrections.DecideCorrection(ctx, tx, c); err != nil {
			return 0, err
		}
		return id, s.enterCorrection(ctx, tx, by, c, " "+string(c.State), reason)
	})
}

// doCorrect posts an approved correction and writes it to the audit log for the member.
func (s *Service) doCorrect(ctx context.Context, tx *ledger.Tx, by actor.By, c Correction) error {
	seen := c.Against
	if err := s.mayCorrect(ctx, tx, &c); err != nil {
		return err
	}
	if c.Against != seen {
		return fmt.Errorf("booking: correction %d was proposed against %s and would be posted against %s", c.ID, seen, c.Against)
	}
	was, err := s.balanceOf(tx, c)
	if err != nil {
		return err
	}
	t, err := c.transfer()
	if err != nil {
		return err
	}
	if _, err := tx.Post(t); err != nil {
		return err
	}
	now, err := s.balanceOf(tx, c)
	if err != nil {
		return err
	}
	if err := s.opt.Corrections.DecideCorrection(ctx, tx, c); err != nil {
		return err
	}
	state := c.state()
	state["balance"] = now.String()
	return s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: correctionKind, Member: c.UID, Subject: c.Wallet, Shown: true,
		Was: auditlog.State(map[string]string{"wallet": c.Wallet, "balance": was.String()}), Became: auditlog.State(state), Reason: c.Reason,
	})
}

// balanceOf returns the balance of the corrected wallet within this command.
func (s *Service) balanceOf(tx *ledger.Tx, c Correction) (money.Amount, error) {
	account, err := ledger.ParseAccount(WalletAccount(c.Wallet, c.UID))
	if err != nil {
		return money.Amount{}, err
	}
	b, err := tx.Balance(account)
	return b.Posted, err
}

// state is the audit log's form of a correction.
func (c *Correction) state() map[string]string {
	all := map[string]string{
		correctionKind: strconv.FormatInt(c.ID, 10), "digest": c.Digest(), "proposed by": c.By.Name, "wallet": c.Wallet,
		"direction": string(c.Direction), "amount": money.Micro(c.signed()).String(), "against": string(c.Against),
	}
	for name, value := range map[string]string{"into": c.Into, "corrects": c.Corrects, "alone": string(c.Alone), "answer": c.Answer} {
		if value != "" {
			all[name] = value
		}
	}
	return all
}

// enterCorrection writes an entry that the member does not see to the audit log.
func (s *Service) enterCorrection(ctx context.Context, tx *ledger.Tx, by actor.By, c Correction, act, reason string) error {
	return s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: correctionKind + act, Member: c.UID, Subject: c.Wallet, Became: auditlog.State(c.state()), Reason: reason,
	})
}

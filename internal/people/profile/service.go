// Package profile changes members' data: profile, wallet, bank details and passwords.
// A change of credentials or of payment details mails the member in the same commit; a
// change of the e-mail address mails the old one.
package profile

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// Options configures a Service.
type Options struct {
	Do      ledger.CommandRunner
	Members *member.Service
	Auth    *auth.Service
	Mail    *mail.Service
	Clock   clock.Clock
	Zone    *time.Location // for birthdays
	Secret  []byte         // keys the hashes of passwords in requests; never in the database
	// Company reports whether an address is, or was, the company's or the token's
	// contract. Nil means never.
	Company func(ctx context.Context, address string) (bool, error)
}

// Service changes members' data. Every method is Forbidden for an impersonation, and
// until a temporary password is changed.
type Service struct {
	opt       Options
	addresses *ratelimit.Limiter // requests for another e-mail address
}

// A member may request addressAsks changes of the e-mail address, then one more every
// addressEvery. Each mails an address of the member's choice.
const (
	addressAsks  = 5
	addressEvery = 24 * time.Hour

	rememberedMembers = 50_000
)

func New(opt Options) *Service {
	return &Service{opt, ratelimit.NewLimiter(addressAsks, addressEvery, rememberedMembers, opt.Clock)}
}

func mayChange(s auth.Session) error {
	switch {
	case s.Kind == auth.KindVisit:
		return errs.New(errs.Forbidden, "profile.visit_cannot_change", "An operator's visit cannot change a member's details.")
	case !s.MayChangeCredentials():
		return errs.New(errs.Forbidden, "session.password_temporary", "Change your temporary password first.")
	}
	return nil
}

// SetProfile replaces the profile. Invalid with the text of the first wrong field;
// auth.ErrWrongTransactionPassword; Limited after five wrong ones, or five other e-mail
// addresses in a day; Refused while blocked.
func (s *Service) SetProfile(ctx context.Context, by auth.Session, key string, f member.ProfileForm) error {
	if err := mayChange(by); err != nil {
		return err
	}
	p, err := member.ParseProfile(f, s.opt.Clock.Now().In(s.opt.Zone))
	if err != nil {
		return err
	}
	mayAsk := sync.OnceValue(func() error { return s.mayAskEmail(by.Owner) }) // a command may run twice
	return s.change(ctx, by, "profile", key, p, f.TransactionPassword, func(ctx context.Context, tx *ledger.Tx) (member.Changed, error) {
		c, err := s.opt.Members.UpdateProfile(ctx, tx, by.Owner, p)
		if err == nil && p.Email != c.Before.Email {
			if err := mayAsk(); err != nil {
				return c, err
			}
			return c, s.askEmail(ctx, tx, c.After, p.Email)
		}
		if err == nil { // the current address was entered again
			err = s.opt.Members.CancelPendingEmail(ctx, tx, c.After)
		}
		return c, err
	})
}

func (s *Service) mayAskEmail(uid int64) error {
	err := s.addresses.Allow(strconv.FormatInt(uid, 10))
	if limited, ok := errors.AsType[*ratelimit.LimitedError](err); ok {
		after := limited.RetryAfter()
		return ratelimit.NewLimited(after, "email.too_many_asks", "You can ask for a new e-mail address {most} times a day. Please try again in {hours} hours.", "most", int64(addressAsks), "hours", int64(math.Ceil(after.Hours())))
	}
	return err
}

// textNotYours: money paid to such an address would not reach the member.
const textNotYours = "This is not your own address: enter that of your wallet."

// SetWallet replaces the address that the member is paid at. Errors as for SetProfile.
func (s *Service) SetWallet(ctx context.Context, by auth.Session, key string, f member.WalletForm) error {
	if err := mayChange(by); err != nil {
		return err
	}
	w, err := member.ParseWallet(f)
	if err != nil {
		return err
	}
	if s.opt.Company != nil {
		ours, err := s.opt.Company(ctx, string(w))
		if err == nil && ours {
			err = errs.BadField("accountaddress", "wallet.not_yours", textNotYours)
		}
		if err != nil {
			return err
		}
	}
	return s.change(ctx, by, "wallet", key, w, f.TransactionPassword, func(ctx context.Context, tx *ledger.Tx) (member.Changed, error) {
		c, err := s.opt.Members.UpdateWallet(ctx, tx, by.Owner, w, tx.Now())
		if err == nil && c.Wallet() {
			err = s.opt.Auth.CountChange(ctx, tx, by.Owner)
		}
		if err == nil && c.Wallet() {
			err = s.opt.Auth.Pause(ctx, tx, by.Owner, auth.WalletChange)
		}
		return c, err
	})
}

// SetBank replaces the bank details. Errors as for SetProfile.
func (s *Service) SetBank(ctx context.Context, by auth.Session, key string, f member.BankForm) error {
	if err := mayChange(by); err != nil {
		return err
	}
	b, err := member.ParseBank(f)
	if err != nil {
		return err
	}
	return s.change(ctx, by, "bank", key, b, f.TransactionPassword, func(ctx context.Context, tx *ledger.Tx) (member.Changed, error) {
		return s.opt.Members.UpdateBank(ctx, tx, by.Owner, b)
	})
}

// change verifies the transaction password and runs one update with its mails.
func (s *Service) change(ctx context.Context, by auth.Session, what, key string, to any, pin string, update func(context.Context, *ledger.Tx) (member.Changed, error)) error {
	proof, err := s.opt.Auth.CheckTransactionPassword(ctx, by.Owner, pin)
	if err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		What string
		To   any
	}{what, to})
	if err != nil {
		return err
	}
	_, err = proof.Do(ctx, ledger.Command{Actor: actor.Member(by.Owner), Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		c, err := update(ctx, tx)
		if err != nil {
			return nil, err
		}
		return nil, s.notify(ctx, tx, c)
	}})
	return err
}

// notify mails the member about an update.
func (s *Service) notify(ctx context.Context, tx *ledger.Tx, c member.Changed) error {
	m := c.Before
	if c.Wallet() {
		if err := s.opt.Mail.Queue(ctx, tx, m.Email, mail.WalletChanged{Name: m.Name, UserID: m.UID, Wallet: string(c.After.Wallet)}); err != nil {
			return err
		}
	}
	if c.Bank() {
		if err := s.opt.Mail.Queue(ctx, tx, m.Email, mail.BankChanged{Name: m.Name, UserID: m.UID}); err != nil {
			return err
		}
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return nil
}

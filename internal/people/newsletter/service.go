package newsletter

import (
	"context"
	"crypto/hmac"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options of a Service.
type Options struct {
	Do    ledger.CommandRunner
	Store Store
	Mail  *mail.Service
	Clock clock.Clock
	// Secret signs the links that end a subscription. All processes have the
	// same, for ever.
	Secret []byte
	// PublicURL is what links begin with.
	PublicURL string
}

// Service is what can be done with the newsletter.
type Service struct{ opt Options }

// New makes a Service.
func New(opt Options) *Service { return &Service{opt} }

const actor = "newsletter"

// Where the links of letters lead.
const (
	ConfirmPath = "/api/newsletter/confirm"
	EndPath     = "/api/newsletter/unsubscribe"
)

// Ask mails a link that confirms the address, at most once an hour. For an
// address that is confirmed already it does as much work, a durable commit
// included, and mails nobody: neither the answer nor the time it takes tells
// which addresses are known.
//
// Errors: Invalid as ParseEmail says; Unavailable.
func (s *Service) Ask(ctx context.Context, address string) error {
	email, err := ParseEmail(address)
	if err != nil {
		return err
	}
	token, hash := newToken()
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		now := s.opt.Clock.Latest()
		if err := s.opt.Store.Forget(ctx, tx, now.Add(-2*tokenLife)); err != nil {
			return err
		}
		sub, found, err := s.opt.Store.ByEmail(ctx, tx, email)
		if err != nil {
			return err
		}
		if !found {
			sub = Subscription{Email: email, State: Asked, Token: hash}
		}
		sub.Asked = now
		wait := found && now.Sub(sub.Mailed).Abs() < mailEvery
		if sub.State == Confirmed || wait {
			_, err := s.opt.Store.Put(ctx, tx, sub)
			return err
		}
		sub.State, sub.Token, sub.TokenUntil, sub.Mailed = Asked, hash, now.Add(tokenLife), now
		if sub.ID, err = s.opt.Store.Put(ctx, tx, sub); err != nil {
			return err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return s.opt.Mail.Queue(ctx, tx, email, mail.NewsletterConfirm{
			Email: email, Confirm: s.opt.PublicURL + ConfirmPath + "#" + token, End: s.EndLink(sub), Valid: tokenLife,
		})
	})
}

// Confirm counts the address of a mailed link from now on. Doing it again is no
// mistake. Refused if the link is wrong, too old, or was replaced.
func (s *Service) Confirm(ctx context.Context, token string) error {
	hash, ok := hashToken(token)
	if !ok {
		return errDead
	}
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		sub, found, err := s.opt.Store.ByToken(ctx, tx, hash)
		now := s.opt.Clock.Latest()
		switch {
		case err != nil:
			return err
		case !found, sub.State == Ended, sub.State == Asked && now.After(sub.TokenUntil):
			return errDead
		case sub.State == Confirmed:
			return nil
		}
		sub.State, sub.Confirmed = Confirmed, now
		_, err = s.opt.Store.Put(ctx, tx, sub)
		return err
	})
}

// End ends a subscription by the link that every letter carries. Doing it again
// is no mistake. Refused if the link is wrong.
func (s *Service) End(ctx context.Context, token string) error {
	id := endsWhich(token)
	if id == 0 {
		return errDead
	}
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		sub, found, err := s.opt.Store.ByID(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case !found || !hmac.Equal([]byte(endToken(s.opt.Secret, sub)), []byte(token)):
			return errDead
		case sub.State == Ended:
			return nil
		}
		sub.State, sub.Ended = Ended, s.opt.Clock.Latest()
		_, err = s.opt.Store.Put(ctx, tx, sub)
		return err
	})
}

var errDead = errs.New(errs.Refused, "newsletter.link_invalid", "This link is not valid any more. Subscribe again to get a new one.")

// EndLink is the link that letters to a subscription carry.
func (s *Service) EndLink(sub Subscription) string {
	return s.opt.PublicURL + EndPath + "?token=" + endToken(s.opt.Secret, sub)
}

// List gives a page of subscriptions, and how many there are in all. Invalid if
// the state is unknown.
func (s *Service) List(ctx context.Context, state State, page, size int64) ([]Subscription, int64, error) {
	switch state {
	case Asked, Confirmed, Ended:
		return s.opt.Store.List(ctx, state, (page-1)*size, size)
	}
	return nil, 0, errs.BadField("state", "newsletter.state_unknown", "This is asked, confirmed or ended.")
}

func (s *Service) do(ctx context.Context, run func(context.Context, *ledger.Tx) error) error {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: actor, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	return err
}

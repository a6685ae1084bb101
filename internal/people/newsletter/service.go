package newsletter

import (
	"context"
	"crypto/hmac"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options configures a Service.
type Options struct {
	Do    ledger.CommandRunner
	Store Store
	Mail  *mail.Service
	Clock clock.Clock
	// Secret signs the links that end a subscription. It is the same in all processes and
	// never changes.
	Secret []byte
	// PublicURL is the beginning of links.
	PublicURL string
}

// Service manages subscriptions.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

const actor = "newsletter"

// Paths of the links in letters.
const (
	ConfirmPath = "/api/newsletter/confirm"
	EndPath     = "/api/newsletter/unsubscribe"
)

// Ask mails a link that confirms the address, at most once an hour. For a confirmed
// address it does the same work, a durable commit included, and mails nobody, so that
// neither the answer nor its timing discloses which addresses are known.
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

// Confirm subscribes the address of a mailed link. It may be repeated. Refused if the
// link is wrong, expired, or was replaced.
func (s *Service) Confirm(ctx context.Context, token string) error {
	hash, ok := hashToken(token)
	if !ok {
		return errInvalidLink
	}
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		sub, found, err := s.opt.Store.ByToken(ctx, tx, hash)
		now := s.opt.Clock.Latest()
		switch {
		case err != nil:
			return err
		case !found, sub.State == Ended, sub.State == Asked && now.After(sub.TokenUntil):
			return errInvalidLink
		case sub.State == Confirmed:
			return nil
		}
		sub.State, sub.Confirmed = Confirmed, now
		_, err = s.opt.Store.Put(ctx, tx, sub)
		return err
	})
}

// End ends a subscription by the link in every letter. It may be repeated. Refused if the
// link is wrong.
func (s *Service) End(ctx context.Context, token string) error {
	id := subscriptionOf(token)
	if id == 0 {
		return errInvalidLink
	}
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		sub, found, err := s.opt.Store.ByID(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case !found || !hmac.Equal([]byte(endToken(s.opt.Secret, sub)), []byte(token)):
			return errInvalidLink
		case sub.State == Ended:
			return nil
		}
		sub.State, sub.Ended = Ended, s.opt.Clock.Latest()
		_, err = s.opt.Store.Put(ctx, tx, sub)
		return err
	})
}

var errInvalidLink = errs.New(errs.Refused, "newsletter.link_invalid", "This link is not valid any more. Subscribe again to get a new one.")

func (s *Service) EndLink(sub Subscription) string {
	return s.opt.PublicURL + EndPath + "?token=" + endToken(s.opt.Secret, sub)
}

// List returns a page of subscriptions and their total. Invalid if the state is unknown.
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

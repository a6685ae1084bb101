package auth

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net/netip"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const invitationLife = 72 * time.Hour

// Invitation is a one-time link for an operator to choose a password.
type Invitation struct {
	Token string // fit for a link
	Until time.Time
	hash  []byte
}

func (s *Service) PrepareInvitation() Invitation {
	raw := make([]byte, resetLen)
	_, _ = rand.Read(raw) // never fails
	return Invitation{Token: base64.RawURLEncoding.EncodeToString(raw), Until: s.clock.Latest().Add(invitationLife), hash: s.vault.invitation(raw)}
}

// Life is how long the link is valid.
func (Invitation) Life() time.Duration { return invitationLife }

// Invite stores i for an operator without a password, in place of any earlier one.
// NotFound if there is no such operator; Conflict if they have chosen a password, which
// no link replaces.
func (s *Service) Invite(ctx context.Context, tx *ledger.Tx, operator int64, i Invitation) (Operator, error) {
	o, found, err := s.store.OperatorIn(ctx, tx, operator)
	if err != nil || !found || !o.Ended.IsZero() {
		return Operator{}, cmp.Or[error](err, errNoOperator)
	}
	if o.Password != "" {
		return Operator{}, errs.New(errs.Conflict, "operator.has_password", "This operator has chosen a password, and no link can replace it. If they forgot it, end the operator and invite them under another address.")
	}
	return o.Operator, s.store.PutInvitation(ctx, tx, InvitationRow{operator, i.hash, i.Until})
}

// Acceptance is an operator's request through the link.
type Acceptance struct {
	Operator int64
	Token    string
	Password string
	Peer     netip.Addr
}

// Accept sets the password of an invited operator and consumes the link. All sessions
// of the operator end; a second factor stays. also, unless nil, runs in the same
// command.
//
// Errors: Invalid if the password is too weak; ErrWrongReset for a link that is
// wrong, used or expired; Limited, with RetryAfter.
func (s *Service) Accept(ctx context.Context, a Acceptance, also Also[Operator]) error {
	if err := passwords.CheckOperator(passwords.Person{}, a.Password); err != nil {
		return err // before the answer says anything about the link
	}
	try, err := s.throttle.take(ctx, "", a.Peer)
	if err != nil {
		return err
	}
	err = s.accept(ctx, a, also)
	try.end(err, ErrWrongReset)
	return err
}

func (s *Service) accept(ctx context.Context, a Acceptance, also Also[Operator]) error {
	o, err := s.invited(ctx, nil, a)
	if err != nil {
		return err
	}
	hash, err := s.PrepareOperator(ctx, o.Operator, a.Password)
	if err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		o, err := s.invited(ctx, tx, a)
		if err != nil {
			return err
		}
		if err := s.store.PutInvitation(ctx, tx, InvitationRow{Operator: o.ID}); err != nil {
			return err
		}
		o.Password, o.PasswordAt = hash, s.clock.Now()
		if err := s.store.PutOperator(ctx, tx, o); err != nil {
			return err
		}
		if err := also.run(ctx, tx, o.Operator); err != nil {
			return err
		}
		return s.endOperatorSessions(ctx, tx, o.ID)
	})
}

// invited is the operator of the link in a, within a command, or with a nil tx outside
// of one.
func (s *Service) invited(ctx context.Context, tx *ledger.Tx, a Acceptance) (OperatorRow, error) {
	o, found, err := s.store.OperatorIn(ctx, tx, a.Operator)
	if err != nil {
		return o, unreadable(err)
	}
	i, _, err := s.store.Invitation(ctx, tx, a.Operator)
	if err != nil {
		return o, unreadable(err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(a.Token)
	same := subtle.ConstantTimeCompare(s.vault.invitation(raw), i.Token) == 1
	// No link replaces a chosen password, even one planted in the database.
	if err != nil || !found || !o.Ended.IsZero() || o.Password != "" || !same || !s.clock.Latest().Before(i.Until) {
		return o, ErrWrongReset
	}
	return o, nil
}

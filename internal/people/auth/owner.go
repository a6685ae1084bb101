package auth

import (
	"cmp"
	"context"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Owner is the operator or member who owns a second factor.
type Owner struct {
	Kind Kind // KindOperator or KindMember
	ID   int64
}

func (o Owner) String() string { return string(o.Kind) + " " + strconv.FormatInt(o.ID, 10) }

func ofOperator(id int64) Owner { return Owner{KindOperator, id} }
func ofMember(uid int64) Owner  { return Owner{KindMember, uid} }

// about is the associated data of what is sealed for the owner: it does not open for
// another one. Kinds have no zero bytes, so that owners never collide.
func (o Owner) about() []byte {
	return binary.BigEndian.AppendUint64(append([]byte(o.Kind), 0), uint64(o.ID))
}

var (
	errNotYours     = errs.New(errs.Forbidden, "session.wrong_audience", "Your account cannot use this call.")
	errNotByVisit   = errs.New(errs.Forbidden, "factor.visit_cannot_change", "An operator's visit cannot change a second factor.")
	errNotTemporary = errs.New(errs.Forbidden, "session.password_temporary", "Change your temporary password first.")
)

// owner is the owner of the second factor that a session may change. Forbidden for
// impersonations, for sessions by a temporary password, and for operators without a
// second factor, who can only enrol.
func (s Session) owner() (Owner, error) {
	switch {
	case s.Kind == KindOperator && !s.MustChange:
		return ofOperator(s.Operator), nil
	case s.Kind == KindMember && s.MustChange:
		return Owner{}, errNotTemporary
	case s.Kind == KindMember:
		return ofMember(s.Owner), nil
	case s.Kind == KindVisit:
		return Owner{}, errNotByVisit
	}
	return Owner{}, errNotYours
}

// holder is an owner's state within a command.
type holder struct {
	password string    // its hash
	since    time.Time // when it was set
	factor   FactorRow
	operator OperatorRow // zero for members
}

// readHolder reads an owner within a command, or with a nil tx outside of one. Within a
// command everything is verified against the signed chain. Unauthenticated for an ended
// or unknown owner.
func (s *Service) readHolder(ctx context.Context, tx *ledger.Tx, o Owner) (h holder, err error) {
	var found bool
	var expected time.Time
	if o.Kind == KindOperator {
		h.operator, found, err = s.store.OperatorIn(ctx, tx, o.ID)
		found = found && h.operator.Ended.IsZero()
		h.password, h.since = h.operator.Password, h.operator.PasswordAt
		if err == nil && found && tx != nil {
			err = s.store.VerifyOperator(ctx, tx, o.ID)
		}
	} else {
		var c CredentialRow
		if tx == nil {
			c, found, err = s.store.Credential(ctx, o.ID)
		} else {
			c, found, err = s.credentialIn(ctx, tx, o.ID)
		}
		h.password, h.since, expected = c.Password, c.PasswordAt, c.FactorSet
	}
	if err != nil || !found {
		return holder{}, cmp.Or[error](err, errPleaseLogin)
	}
	if h.factor, _, err = s.store.Factor(ctx, tx, o); err != nil {
		return holder{}, err
	}
	if tx != nil && (o.Kind == KindOperator || !expected.IsZero()) {
		err = s.store.VerifyFactor(ctx, tx, o)
	}
	if o.Kind == KindMember {
		h.factor.Set = expected // the credential decides: the row may have been deleted
	}
	h.factor.Owner = o
	return h, err
}

// on reports whether there is a second factor.
func (f FactorRow) on() bool { return !f.Set.IsZero() }

// factorChanged records within a command when a member's factor was set, with the zero
// time that it was removed, and starts the member's wait.
func (s *Service) factorChanged(ctx context.Context, tx *ledger.Tx, o Owner, set time.Time) error {
	if o.Kind != KindMember {
		return nil
	}
	c, found, err := s.credentialIn(ctx, tx, o.ID)
	if err != nil || !found {
		return cmp.Or[error](err, errPleaseLogin)
	}
	if err := s.pause(ctx, tx, &c, FactorChange); err != nil {
		return err
	}
	c.FactorSet = set
	return s.putCredential(ctx, tx, c)
}

// endOthersOf ends every session of an owner but keep: an owner who changes a factor may
// have lost control of another session.
func (s *Service) endOthersOf(ctx context.Context, tx *ledger.Tx, o Owner, keep string) error {
	if o.Kind == KindOperator {
		return s.endAll(ctx, tx, o.ID, keep, KindOperator)
	}
	return s.endAll(ctx, tx, o.ID, keep, KindMember, KindVisit)
}

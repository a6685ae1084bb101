package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"net/netip"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// Limits of successful sign-ins, of open sessions and of known addresses.

const (
	// Successful sign-ins of one account and from one address. A person stays far
	// below; a program that signs in for every call does not.
	signInTries        = 60
	signInEvery        = time.Minute
	signInAddressTries = 300
	signInAddressEvery = 2 * time.Second

	memberSessions   = 10 // open at a time
	operatorSessions = 5
	endedSessions    = 30 // of one owner that are kept, to be shown
	endedAge         = 30 * 24 * time.Hour
	endedBatch       = 500

	familiarPlaces = 20 // of one account
	placeEvery     = 24 * time.Hour
)

// Arrival is a sign-in from an address from which the account was not signed in
// to before.
type Arrival struct {
	Kind        Kind
	Owner       int64
	Email, Name string // an operator's; a member's are not known here
	At          time.Time
	From
}

// signInLimits limits successful sign-ins.
type signInLimits struct {
	accounts  *ratelimit.Limiter
	addresses *ratelimit.NetworkLimiter
	demo      bool
}

func newSignInLimits(c clock.Clock, demo bool) *signInLimits {
	return &signInLimits{
		ratelimit.NewLimiter(signInTries, signInEvery, throttleSize, c),
		ratelimit.NewNetworkLimiter(signInAddressTries, signInAddressEvery, throttleSize, c), demo,
	}
}

// look is Limited, with RetryAfter, if the account signed in too often, or too many
// accounts signed in from the address. A demo does not limit its own machine.
func (a *signInLimits) look(account string, peer netip.Addr) error {
	if a.demo && peer.Unmap().IsLoopback() {
		return nil
	}
	if err := a.addresses.Look(peer); err != nil {
		return tooOften(err, "auth.network_too_often", "Too many people have signed in from your network. Try again in {seconds} seconds.")
	}
	return tooOften(a.accounts.Look(account), "auth.account_too_often", "You have signed in too often. Try again in {seconds} seconds.")
}

func (a *signInLimits) count(account string, peer netip.Addr) {
	_ = a.addresses.Allow(peer) // look has refused callers above the limit
	_ = a.accounts.Allow(account)
}

func tooOften(err error, code, text string) error {
	if l, ok := errors.AsType[*ratelimit.LimitedError](err); ok {
		return ratelimit.NewLimited(l.RetryAfter(), code, text, "seconds", int64(math.Ceil(l.RetryAfter().Seconds())))
	}
	return err
}

// place is an address as stored for an account: a keyed hash, because addresses are
// personal data, and so that database access alone cannot add one.
func (s *Service) place(kind Kind, owner int64, peer netip.Addr) []byte {
	mac := hmac.New(sha256.New, s.throttle.key)
	mac.Write([]byte("place\x00" + string(kind) + "\x00"))
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(owner)))
	mac.Write([]byte(ratelimit.AddressKey(peer)))
	return mac.Sum(nil)
}

// familiar reports whether the account signed in from this address before.
func (s *Service) familiar(ctx context.Context, kind Kind, owner int64, peer netip.Addr) (bool, error) {
	_, found, err := s.store.Place(ctx, nil, kind, owner, s.place(kind, owner, peer))
	if err != nil {
		return false, unreadable(err)
	}
	return found, nil
}

// queueFor is the hasher for a sign-in. Familiar addresses use the queue of signed-in
// members, which a flood from other addresses does not fill.
func (s *Service) queueFor(familiar bool, otherwise *Hasher) *Hasher {
	if familiar {
		return s.hasher
	}
	return otherwise
}

// noteSignIn records the address of a sign-in and notifies the owner if it is new. The
// account's first address causes no notification.
func (s *Service) noteSignIn(ctx context.Context, tx *ledger.Tx, session Session, from From) error {
	place := s.place(session.Kind, session.Owner, from.Peer)
	used, found, err := s.store.Place(ctx, tx, session.Kind, session.Owner, place)
	if err != nil || (found && session.Created.Sub(used) < placeEvery) {
		return err
	}
	before, err := s.store.KeepPlace(ctx, tx, session.Kind, session.Owner, place, session.Created, familiarPlaces)
	if err != nil || found || before == 0 || s.opt.Unfamiliar == nil {
		return err
	}
	a := Arrival{Kind: session.Kind, Owner: session.Owner, At: session.Created, From: from}
	a.Agent = session.Agent
	if session.Kind == KindOperator {
		o, _, err := s.store.OperatorIn(ctx, tx, session.Owner)
		if err != nil {
			return err
		}
		a.Email, a.Name = o.Email, o.Name
	}
	return s.opt.Unfamiliar(ctx, tx, a)
}

// forgetOtherPlaces makes peer's address the only familiar one: anyone who knew the replaced
// password may have signed in from the others.
func (s *Service) forgetOtherPlaces(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, peer netip.Addr) error {
	if err := s.store.DropPlaces(ctx, tx, kind, owner); err != nil {
		return err
	}
	_, err := s.store.KeepPlace(ctx, tx, kind, owner, s.place(kind, owner, peer), s.clock.Latest(), familiarPlaces)
	return err
}

// limitSessions ends the owner's oldest open sessions so that one more can be opened, and
// deletes the oldest ended ones.
func (s *Service) limitSessions(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64) error {
	now, most := s.clock.Latest(), memberSessions
	if kind == KindOperator {
		most = operatorSessions
	}
	all, err := s.store.SessionsOf(ctx, tx, kind, owner, memberSessions+2*endedSessions)
	if err != nil {
		return err
	}
	open, dead := 0, 0
	for _, n := range all { // newest first
		live := n.Ended.IsZero() && now.Before(n.Expires) && now.Before(n.Seen.Add(s.idle(kind)))
		switch {
		case live:
			if open++; open < most {
				continue
			}
			if _, err := s.store.EndSession(ctx, tx, kind, owner, n.ID, now); err != nil {
				return err
			}
			tx.AfterCommit(func() { s.cache.Drop(n.ID) })
		default:
			if dead++; dead <= endedSessions {
				continue
			}
			if err := s.store.DropSession(ctx, tx, n.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// DropDead deletes sessions that ended long ago, in batches, so that other commands
// run in between. A token of a deleted session is invalid.
func (s *Service) DropDead(ctx context.Context) error {
	for {
		n, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (int64, error) {
			return s.store.DropSessions(ctx, tx, s.clock.Latest().Add(-endedAge), endedBatch)
		})
		if err != nil || n < endedBatch {
			return err
		}
	}
}

// renewPassword rehashes a member's password if the stored hash is cheaper to guess
// than a new one. The password stays the same, so nothing else happens that a change
// causes. A failure does not fail the sign-in.
func (s *Service) renewPassword(ctx context.Context, h *Hasher, c CredentialRow, password string) {
	fresh := h.renewed(ctx, c.Password, password)
	if fresh == "" {
		return
	}
	err := s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		now, found, err := s.credentialIn(ctx, tx, c.UID)
		if err != nil || !found || now.Password != c.Password {
			return err
		}
		now.Password = fresh
		return s.putCredential(ctx, tx, now)
	})
	s.renewedFor(memberKey(c.UID), err)
}

func (s *Service) renewOperator(ctx context.Context, h *Hasher, o OperatorRow, password string) {
	fresh := h.renewed(ctx, o.Password, password)
	if fresh == "" {
		return
	}
	err := s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		now, found, err := s.store.OperatorIn(ctx, tx, o.ID)
		if err != nil || !found || now.Password != o.Password {
			return err
		}
		if err := s.store.VerifyOperator(ctx, tx, o.ID); err != nil {
			return err
		}
		now.Password = fresh
		return s.store.PutOperator(ctx, tx, now)
	})
	s.renewedFor(operatorAccount(o.ID), err)
}

func (s *Service) renewedFor(who string, err error) {
	if err != nil {
		s.log.Warn("auth: a password was not hashed anew", "account", who, "err", err)
		return
	}
	s.log.Info("auth: a password was hashed anew: the costs have risen", "account", who)
}

// samePassword reports whether a stored hash is the verified one, or a rehash of the
// same password.
func (s *Service) samePassword(was, now string, wasAt, nowAt time.Time) bool {
	return was == now || (s.hasher.outdated(was) && wasAt.Equal(nowAt))
}

package auth

import (
	"context"
	"slices"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Erasure of personal data always takes two: an owner or compliance officer proposes
// it and another one approves that proposal, because it cannot be undone.

// MayErase reports whether the role decides about erasures.
func (r Role) MayErase() bool { return r == RoleOwner || r == RoleCompliance }

// ProposeErasure records within a command a proposal to erase a member's personal
// data. Forbidden unless by may; Conflict if one is pending.
func (s *Service) ProposeErasure(ctx context.Context, tx *ledger.Tx, by, member int64, reason string) (Proposal, error) {
	if err := s.eraser(ctx, tx, by); err != nil {
		return Proposal{}, err
	}
	all, err := s.store.Erasures(ctx, tx, member)
	if err != nil {
		return Proposal{}, err
	}
	if slices.ContainsFunc(all, func(p Proposal) bool { return p.State == approval.Waiting }) {
		return Proposal{}, errs.New(errs.Conflict, "erasure.waits_already", "The erasure of this member's data waits already: decide on that.")
	}
	p := Proposal{Kind: ProposeErase, Member: member, Reason: reason, By: by, At: s.clock.Now(), State: approval.Waiting}
	p.ID, err = s.store.AddProposal(ctx, tx, p)
	return p, err
}

// DecideErasure approves, rejects or withdraws an erasure within a command. If it is
// approved, the caller erases the data.
//
// Errors: Forbidden unless by may, and for the proposer's approval; NotFound; Conflict
// if it was decided before; Refused if the digest differs.
func (s *Service) DecideErasure(ctx context.Context, tx *ledger.Tx, by, id int64, digest string, approve bool) (Proposal, error) {
	if err := s.eraser(ctx, tx, by); err != nil {
		return Proposal{}, err
	}
	p, d, err := s.decision(ctx, tx, by, id, digest, approve, true)
	if err != nil {
		return p, err
	}
	p.State, p.Decided, p.DecidedAt = d.State, by, tx.Now()
	return p, s.store.DecideProposal(ctx, tx, p)
}

// Erasures lists the newest erasures of a member, or with 0 all pending ones.
func (s *Service) Erasures(ctx context.Context, member int64) ([]Proposal, error) {
	found, err := s.store.Erasures(ctx, nil, member)
	if err != nil {
		return nil, unreadable(err)
	}
	return found, nil
}

// ErasuresIn is Erasures within a command.
func (s *Service) ErasuresIn(ctx context.Context, tx *ledger.Tx, member int64) ([]Proposal, error) {
	return s.store.Erasures(ctx, tx, member)
}

// eraser is Forbidden unless by may erase now.
func (s *Service) eraser(ctx context.Context, tx *ledger.Tx, by int64) error {
	o, found, err := s.store.OperatorIn(ctx, tx, by)
	if err == nil && (!found || !o.Ended.IsZero() || !o.Role.MayErase()) {
		err = errs.New(errs.Forbidden, "erasure.role", "Only owners and compliance decide about people's data.")
	}
	return err
}

// Forget ends every session of a member within a command, deletes their addresses and
// overwrites the credential. A customer has none.
func (s *Service) Forget(ctx context.Context, tx *ledger.Tx, uid int64) error {
	if err := s.EndMemberSessions(ctx, tx, uid); err != nil {
		return err
	}
	_, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	if found {
		if _, had, err := s.store.Factor(ctx, tx, ofMember(uid)); err != nil {
			return err
		} else if had {
			if _, err := s.removeFactor(ctx, tx, ofMember(uid)); err != nil {
				return err
			}
		}
		if err := s.putCredential(ctx, tx, CredentialRow{UID: uid, Password: erasedHash, PasswordAt: tx.Now(), Pin: erasedHash}); err != nil {
			return err
		}
	}
	return s.store.Forget(ctx, tx, uid)
}

// EndMemberSessions ends every session of a member, impersonations included.
func (s *Service) EndMemberSessions(ctx context.Context, tx *ledger.Tx, uid int64) error {
	return s.endAll(ctx, tx, uid, "", KindMember, KindVisit)
}

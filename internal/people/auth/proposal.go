package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// An owner proposes that an operator gets another role, or that an owner ends, and
// another owner approves that proposal. A single owner decides alone, or nobody could
// appoint a second; the proposal then says so. An owner cannot become the only one by
// ending the others, because ending an owner takes two.

type ProposalKind string

const (
	ProposeRole ProposalKind = "role"
	ProposeEnd  ProposalKind = "end"
	// ProposeErase is about a member: erase.go.
	ProposeErase ProposalKind = "erase"
)

// Proposal is a change that takes two: of an operator, two owners; of a member, two
// operators who may erase.
type Proposal struct {
	ID        int64
	Kind      ProposalKind
	Operator  int64 // 0 for an erasure
	Member    int64 // of an erasure
	Was       Role
	Wanted    Role // "" for an end
	Reason    string
	By        int64
	At        time.Time
	Decided   int64 // by which operator; 0 while pending
	DecidedAt time.Time
	State     approval.State
	Alone     approval.Alone // why one owner was enough; "" if it took two
}

// Digest is the fingerprint of the proposal. An approval names it, so that nobody
// approves something they did not see.
func (p Proposal) Digest() string {
	all := []any{p.ID, p.Kind, p.Operator, p.Was, p.Wanted, p.Reason, p.By, p.At.UnixMicro()}
	if p.Kind == ProposeErase {
		all = append(all, p.Member)
	}
	return approval.Digest(shape.Canonical(all))
}

// Propose records a change of an operator, within a command. It takes effect at once
// if by is the only owner.
//
// Errors: Forbidden unless by is an owner; NotFound if there is no such operator;
// Conflict if a change of the operator is pending, or changes nothing; Refused for the
// last owner.
func (s *Service) Propose(ctx context.Context, tx *ledger.Tx, by int64, kind ProposalKind, operator int64, wanted Role, reason string) (Proposal, error) {
	owners, target, err := s.owners(ctx, tx, by, operator)
	if err != nil {
		return Proposal{}, err
	}
	if kind == ProposeRole && wanted == target.Role {
		return Proposal{}, errs.New(errs.Conflict, "operator.has_role", "The operator has this role already.")
	}
	if owners == 1 && operator == by {
		return Proposal{}, errLastOwner
	}
	waiting, err := s.store.ProposalsIn(ctx, tx, true)
	if err != nil {
		return Proposal{}, err
	}
	for _, p := range waiting {
		if p.Operator == operator {
			return Proposal{}, errs.New(errs.Conflict, "operator.change_waits", "Another change of this operator is waiting for approval. Approve or reject it first.")
		}
	}
	p := Proposal{Kind: kind, Operator: operator, Was: target.Role, Wanted: wanted, Reason: reason, By: by, At: s.clock.Now(), State: approval.Waiting}
	if p.ID, err = s.store.AddProposal(ctx, tx, p); err != nil || owners > 1 {
		return p, err
	}
	p.Alone = approval.AloneOnlyOwner
	return s.settleProposal(ctx, tx, p, by, approval.Approved)
}

var errLastOwner = errs.New(errs.Refused, "operator.owner_needed", "There must be an owner. Appoint another one first.")

// Decide approves or rejects a proposal, within a command. Its proposer can only
// withdraw it.
//
// Errors: Forbidden unless by is an owner, and for the proposer's approval; NotFound;
// Conflict if it was decided before; Refused if the digest differs, or the operator
// changed since.
func (s *Service) Decide(ctx context.Context, tx *ledger.Tx, by, id int64, digest string, approve bool) (Proposal, error) {
	p, d, err := s.decision(ctx, tx, by, id, digest, approve, false)
	if err != nil {
		return p, err
	}
	owners, target, err := s.owners(ctx, tx, by, p.Operator)
	if !approve {
		if err != nil && !errs.Is(err, errs.NotFound) { // an ended operator needs no change
			return p, err
		}
		return s.settleProposal(ctx, tx, p, by, d.State)
	}
	switch {
	case err != nil:
		return p, err
	case target.Role != p.Was:
		return p, errs.New(errs.Refused, "operator.role_changed_meanwhile", "The operator's role has changed since this was proposed. Reject it and make a new proposal.")
	case owners == 1 && p.Operator == by:
		return p, errLastOwner
	}
	return s.settleProposal(ctx, tx, p, by, approval.Approved)
}

// decision finds a proposal and decides it. NotFound, and the errors of package
// approval.
func (s *Service) decision(ctx context.Context, tx *ledger.Tx, by, id int64, digest string, approve, erasure bool) (Proposal, approval.Decision, error) {
	p, found, err := s.store.ProposalIn(ctx, tx, id)
	if err == nil && (!found || (p.Kind == ProposeErase) != erasure) {
		err = errs.New(errs.NotFound, "approval.not_found", "There is no such proposal.")
	}
	if err != nil {
		return p, approval.Decision{}, err
	}
	second := "owner"
	if erasure {
		second = "owner or compliance officer"
	}
	d, err := approval.Proposal{By: p.By, State: p.State, Digest: p.Digest(), Second: second}.Decide(by, digest, approve, "")
	return p, d, err
}

// owners counts the owners who can sign in, which an invited one without a password
// cannot, and returns the operator to be changed. Forbidden unless by is one of the
// owners.
func (s *Service) owners(ctx context.Context, tx *ledger.Tx, by, operator int64) (n int, target Operator, err error) {
	all, err := s.store.OperatorsIn(ctx, tx)
	if err != nil {
		return 0, target, err
	}
	mine := false
	for _, o := range all {
		if !o.Ended.IsZero() {
			continue
		}
		if o.Role == RoleOwner {
			row, _, err := s.store.OperatorIn(ctx, tx, o.ID)
			if err != nil {
				return 0, target, err
			}
			if row.Password != "" {
				n++
				mine = mine || o.ID == by
			}
		}
		if o.ID == operator {
			target = o
		}
	}
	switch {
	case !mine:
		return 0, target, errs.New(errs.Forbidden, "operator.owners_decide", "Only owners decide about operators.")
	case target.ID == 0:
		return n, target, errNoOperator
	}
	return n, target, nil
}

// settleProposal ends a proposal and, if it is approved, makes the change.
func (s *Service) settleProposal(ctx context.Context, tx *ledger.Tx, p Proposal, by int64, state approval.State) (Proposal, error) {
	p.State, p.Decided, p.DecidedAt = state, by, s.clock.Now()
	if err := s.store.DecideProposal(ctx, tx, p); err != nil || state != approval.Approved {
		return p, err
	}
	if p.Kind == ProposeEnd {
		return p, s.EndOperator(ctx, tx, p.Operator)
	}
	o, _, err := s.store.OperatorIn(ctx, tx, p.Operator)
	if err != nil {
		return p, err
	}
	o.Role = p.Wanted
	if err := s.store.PutOperator(ctx, tx, o); err != nil {
		return p, err
	}
	return p, s.endOperatorSessions(ctx, tx, o.ID) // the next session has the new role
}

// Proposals lists the newest changes of operators, newest first.
func (s *Service) Proposals(ctx context.Context) ([]Proposal, error) {
	found, err := s.store.ProposalsIn(ctx, nil, false)
	if err != nil {
		return nil, unreadable(err)
	}
	return found, nil
}

// Standing is an operator with the data that owners see.
type Standing struct {
	Operator
	Password bool      // has chosen one
	Factor   time.Time // when the second factor was set; zero without one
	Invited  time.Time // end of the invitation's validity; zero without one
	Seen     time.Time // last use of a session; zero if never
}

// Standings lists every operator, ended ones too, by id.
func (s *Service) Standings(ctx context.Context) ([]Standing, error) {
	found, err := s.store.Standings(ctx, s.clock.Latest())
	if err != nil {
		return nil, unreadable(err)
	}
	return found, nil
}

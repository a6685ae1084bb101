// Package approval implements the four-eyes rule: one operator makes a proposal,
// and another one approves exactly this proposal, by its digest. The proposer can
// only withdraw it. Each package stores its own proposals and implements the effect
// of an approval.
package approval

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

type State string

// The states. All but Waiting are final.
const (
	Waiting   State = "waiting"
	Approved  State = "approved"
	Refused   State = "refused"
	Withdrawn State = "withdrawn" // by the operator who proposed it
)

// Alone is the reason for a single approval; "" if two operators took part. It is
// stored in the audit log.
type Alone string

const (
	AloneDemo         Alone = "demo"
	AloneCommandLine  Alone = "command line"
	AloneSchedule     Alone = "schedule"
	AloneOnlyOwner    Alone = "only owner"    // no other owner exists
	AloneOnlyOperator Alone = "only operator" // no other operator exists
	AloneChain        Alone = "chain"         // the blockchain proves it
)

// InDemo returns AloneDemo in a demo, where operators may approve their own
// proposals.
func InDemo(demo bool) Alone {
	if demo {
		return AloneDemo
	}
	return ""
}

// After returns a reason of the audit log followed by a, if set.
func (a Alone) After(reason string) string {
	if a == "" {
		return reason
	}
	return reason + " (" + string(a) + ")"
}

// Digest is the SHA-256 of a proposal. An approval names it, so that an operator
// approves exactly the proposal that was shown.
func Digest(payload []byte) string {
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:])
}

// Two reports whether two operators took part. The command line, 0, does not count.
func Two(proposed, decided int64) bool {
	return proposed != 0 && decided != 0 && proposed != decided
}

// Proposal is the part of a proposal that the rule uses.
type Proposal struct {
	By     int64 // the proposer
	State  State
	Digest string
	Second string // the role that may approve it; "" for any operator
}

// Decision is the decision about a proposal.
type Decision struct {
	State State
	Own   bool // by the proposer
	Alone Alone
}

// Decide returns an operator's decision about a proposal that was shown with
// digest. alone is the reason why proposers may approve their own proposal; "" if
// they may not.
//
// Errors: Conflict if the proposal was decided before; Refused if its digest
// differs; Forbidden if the proposer may not approve it.
func (p Proposal) Decide(by int64, digest string, approve bool, alone Alone) (Decision, error) {
	d := Decision{State: Refused, Own: p.By == by}
	switch {
	case p.State != Waiting:
		return d, errs.New(errs.Conflict, "approval.already_decided", "This proposal is already {state}.", "state", p.State)
	case p.Digest != digest:
		return d, errs.New(errs.Refused, "approval.digest_changed", "The proposal has changed. Review it again.")
	case !approve && d.Own:
		d.State = Withdrawn
	case !approve:
	case d.Own && alone == "":
		second := p.Second
		if second == "" {
			second = "operator"
		}
		return d, errs.New(errs.Forbidden, "approval.own_proposal_role", "You made this proposal. Another {role} must approve it.", "role", second)
	case d.Own:
		d.State, d.Alone = Approved, alone
	default:
		d.State = Approved
	}
	return d, nil
}

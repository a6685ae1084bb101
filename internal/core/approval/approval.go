// Package approval is the rule of four eyes: one operator proposes, and another one
// approves exactly what was proposed, by its digest. Whoever proposed it can only
// withdraw it. What an approval does, and which table keeps the proposal, is the
// business of the package whose proposal it is.
package approval

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// State is what became of a proposal.
type State string

// The states. All but Waiting are final.
const (
	Waiting   State = "waiting"
	Approved  State = "approved"
	Refused   State = "refused"
	Withdrawn State = "withdrawn" // by the operator who proposed it
)

// Alone is why one operator was enough; "" when it took two. It stays in the audit
// log.
type Alone string

// The reasons.
const (
	AloneDemo         Alone = "demo"
	AloneCommandLine  Alone = "command line"
	AloneSchedule     Alone = "schedule"
	AloneOnlyOwner    Alone = "only owner"    // there is no other who could approve
	AloneOnlyOperator Alone = "only operator" // likewise
	AloneChain        Alone = "chain"         // the chain proves it
)

// InDemo is AloneDemo in a demo, where one operator may approve their own.
func InDemo(demo bool) Alone {
	if demo {
		return AloneDemo
	}
	return ""
}

// After is a reason of the audit log followed by why one operator was enough.
func (a Alone) After(reason string) string {
	if a == "" {
		return reason
	}
	return reason + " (" + string(a) + ")"
}

// Digest is the SHA-256 of all that is proposed. Approving names it, so that nobody
// approves another thing than they saw.
func Digest(payload []byte) string {
	sum := sha256.Sum256(payload)
	return hex.EncodeToString(sum[:])
}

// Two tells whether two operators took part. The command line, 0, is none.
func Two(proposed, decided int64) bool {
	return proposed != 0 && decided != 0 && proposed != decided
}

// Proposal is what the rule knows of one.
type Proposal struct {
	By     int64 // who proposed it
	State  State
	Digest string
	Second string // who else may approve it; "" for an operator
}

// Decision is what becomes of a proposal.
type Decision struct {
	State State
	Own   bool // by the operator who proposed it
	Alone Alone
}

// Decide is an operator's decision about a proposal, seen with a digest. alone is
// why the operator may approve their own; "" if that takes another one.
//
// Errors: Conflict if it was decided before; Refused if it has another digest;
// Forbidden for approving one's own.
func (p Proposal) Decide(by int64, digest string, approve bool, alone Alone) (Decision, error) {
	d := Decision{State: Refused, Own: p.By == by}
	switch {
	case p.State != Waiting:
		return d, errs.New(errs.Conflict, "approval.already_decided", "This proposal was {state} already.", "state", p.State)
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
		return d, errs.New(errs.Forbidden, "approval.own_proposal_role", "You proposed this: another {role} must approve it.", "role", second)
	case d.Own:
		d.State, d.Alone = Approved, alone
	default:
		d.State = Approved
	}
	return d, nil
}

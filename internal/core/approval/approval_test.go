package approval_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestOnlyAnotherOperatorApproves(t *testing.T) {
	digest := approval.Digest([]byte("all of it"))
	waiting := approval.Proposal{By: 1, State: approval.Waiting, Digest: digest}
	decided := waiting
	decided.State = approval.Refused
	for name, c := range map[string]struct {
		p       approval.Proposal
		by      int64
		digest  string
		approve bool
		alone   approval.Alone
		want    approval.Decision
		code    errs.Kind
	}{
		"another approves":            {p: waiting, by: 2, digest: digest, approve: true, want: approval.Decision{State: approval.Approved}},
		"another refuses":             {p: waiting, by: 2, digest: digest, want: approval.Decision{State: approval.Refused}},
		"one's own is withdrawn":      {p: waiting, by: 1, digest: digest, want: approval.Decision{State: approval.Withdrawn, Own: true}},
		"one's own is not approved":   {p: waiting, by: 1, digest: digest, approve: true, code: errs.Forbidden},
		"one is enough in a demo":     {p: waiting, by: 1, digest: digest, approve: true, alone: approval.InDemo(true), want: approval.Decision{State: approval.Approved, Own: true, Alone: approval.AloneDemo}},
		"two in a demo are noted":     {p: waiting, by: 2, digest: digest, approve: true, alone: approval.InDemo(true), want: approval.Decision{State: approval.Approved}},
		"it was decided before":       {p: decided, by: 2, digest: digest, approve: true, code: errs.Conflict},
		"something else was proposed": {p: waiting, by: 2, digest: approval.Digest([]byte("less")), approve: true, code: errs.Refused},
		"no digest":                   {p: waiting, by: 2, approve: true, code: errs.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.p.Decide(c.by, c.digest, c.approve, c.alone)
			if c.code != "" && !errs.Is(err, c.code) || c.code == "" && (err != nil || got != c.want) {
				t.Fatalf("got %+v, %v; want %+v, %v", got, err, c.want, c.code)
			}
		})
	}
}

func TestTheCommandLineIsNoOperator(t *testing.T) {
	for _, c := range []struct {
		proposed, decided int64
		want              bool
	}{{1, 2, true}, {1, 1, false}, {0, 2, false}, {1, 0, false}, {0, 0, false}} {
		if got := approval.Two(c.proposed, c.decided); got != c.want {
			t.Errorf("Two(%d, %d) = %v", c.proposed, c.decided, got)
		}
	}
}

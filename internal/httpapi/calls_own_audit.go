package httpapi

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/auditlog"
)

func (c *MemberCalls) registerOwnAudit(api huma.API) {
	get(api, tagMember, "audit", "What operators did about the member's account, newest first", inTurn(c.Base, c.memberAudit))
}

// next is the key of the next page.
func next(found []auditlog.Entry, more bool) int64 {
	if !more {
		return 0
	}
	return found[len(found)-1].No
}

type memberAuditInput struct {
	UID    string `query:"uid" doc:"The caller's own user id."`
	Before int64  `query:"before" minimum:"0" doc:"next of the answer before."`
	Size   int    `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type memberAuditRow struct {
	No     int64  `json:"no"`
	At     moment `json:"at"`
	By     string `json:"by" doc:"Who it was, by number."`
	Act    string `json:"act"`
	Reason string `json:"reason"`

	Subject string `json:"subject" doc:"What it is about, where that is not the account: such as the number of a withdrawal."`
	Was     string `json:"was" doc:"The state before; empty where there is none."`
	Became  string `json:"became" doc:"The state since."`
	Amount  string `json:"amount" doc:"In dollars; empty where there is none."`
}

type memberAuditPage struct {
	Data [][]memberAuditRow `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Next int64              `json:"next" doc:"Give it as before for the next page; 0 at the end."`
}

// stateIn is what members are told of a state: how far it had come, and about how
// much money. The names of operators are not in it.
func stateIn(text string) (s struct{ State, Amount string }) {
	if json.Unmarshal([]byte(text), &s) != nil {
		s.State, s.Amount = "", ""
	}
	return s
}

func (c *MemberCalls) memberAudit(ctx context.Context, in *memberAuditInput) (*struct{ Body memberAuditPage }, error) {
	uid, err := ownID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	found, more, err := c.AuditLog.List(ctx, auditlog.Filter{Member: uid, Shown: true, Before: in.Before, Limit: in.Size})
	if err != nil {
		return nil, err
	}
	rows := []memberAuditRow{}
	for _, e := range found {
		by := "the operators"
		if e.Operator != 0 {
			by = "operator " + id(e.Operator)
		}
		was, is := stateIn(e.Was), stateIn(e.Became)
		row := memberAuditRow{e.No, at(e.At), by, e.Act, e.Reason, e.Subject, was.State, is.State, is.Amount}
		if e.Act == "fund.release" {
			row.Reason = "" // it may name who really paid
		}
		rows = append(rows, row)
	}
	return &struct{ Body memberAuditPage }{memberAuditPage{[][]memberAuditRow{rows}, next(found, more)}}, nil
}

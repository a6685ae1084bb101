package member

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerAudit(api huma.API) {
	httpx.Get(api, httpx.TagMember, "audit", "List operator actions on the member's account, newest first", httpx.WithReadSlot(c.Base, c.memberAudit))
}

// Next is the key of the next page.
func Next(found []auditlog.Entry, more bool) int64 {
	if !more {
		return 0
	}
	return found[len(found)-1].No
}

type memberAuditInput struct {
	UID    string `query:"uid" doc:"The caller's user id."`
	Before int64  `query:"before" minimum:"0" doc:"The value of next in the previous response."`
	Size   int    `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type memberAuditRow struct {
	No     int64           `json:"no"`
	At     httpx.Timestamp `json:"at"`
	By     string          `json:"by" doc:"The id of the operator."`
	ByText errs.Text       `json:"byText" doc:"The operator as a text with its code."`
	Act    string          `json:"act"`
	Reason string          `json:"reason"`

	Subject string `json:"subject" doc:"The subject, if it is not the account: for example the id of a withdrawal."`
	Was     string `json:"was" doc:"The previous state; empty if there is none."`
	Became  string `json:"became" doc:"The new state."`
	Amount  string `json:"amount" doc:"The amount in dollars; empty if there is none."`
}

type memberAuditPage struct {
	Data [][]memberAuditRow `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Next int64              `json:"next" doc:"The value of before for the next page; 0 on the last page."`
}

// stateIn returns the part of a state that members may see: the progress and the amount,
// not the names of operators.
func stateIn(text string) (s struct{ State, Amount string }) {
	if json.Unmarshal([]byte(text), &s) != nil {
		s.State, s.Amount = "", ""
	}
	return s
}

func (c *Calls) memberAudit(ctx context.Context, in *memberAuditInput) (*struct{ Body memberAuditPage }, error) {
	uid, err := httpx.OwnUserID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	found, more, err := c.AuditLog.List(ctx, auditlog.Filter{Member: uid, Shown: true, Before: in.Before, Limit: in.Size})
	if err != nil {
		return nil, err
	}
	rows := []memberAuditRow{}
	for _, e := range found {
		by := errs.Say("audit.by_operators", "the operators")
		if e.Operator != 0 {
			by = errs.Say("audit.by_operator", "operator {operator}", "operator", e.Operator)
		}
		was, is := stateIn(e.Was), stateIn(e.Became)
		row := memberAuditRow{e.No, httpx.ToTimestamp(e.At), by.Message, by, e.Act, e.Reason, e.Subject, was.State, is.State, is.Amount}
		if e.Act == "fund.release" {
			row.Reason = "" // it may name the actual payer
		}
		rows = append(rows, row)
	}
	return &struct{ Body memberAuditPage }{memberAuditPage{[][]memberAuditRow{rows}, Next(found, more)}}, nil
}

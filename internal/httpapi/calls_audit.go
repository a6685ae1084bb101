package httpapi

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/platform/export"
)

func (c *Calls) registerAudit(api huma.API) {
	get(api, tagOperator, "operator/audit", "What operators did, newest first", inTurn(c, c.audit))
	get(api, tagOperator, "operator/audit/export", "The same as CSV, up to 10,000 entries", c.exportAudit)
	get(api, tagMember, "audit", "What operators did about the member's account, newest first", inTurn(c, c.memberAudit))
}

// AuditQuery is exported because huma does not look into embedded types that
// are not.
type AuditQuery struct {
	Operator int64  `query:"operator" minimum:"0" doc:"The operator's number."`
	Act      string `query:"act" maxLength:"60" doc:"Such as block."`
	Member   string `query:"member" maxLength:"15" doc:"A user id: what is about this member."`
	From     string `query:"from" doc:"First day in UTC, 2026-01-31; empty is open."`
	To       string `query:"to" doc:"Last day, included."`
	Before   int64  `query:"before" minimum:"0" doc:"Entries with a smaller number: next of the answer before."`
}

func (q AuditQuery) filter(limit int) (auditlog.Filter, error) {
	var f fields
	out := auditlog.Filter{Operator: q.Operator, Act: q.Act, From: f.day("from", q.From, time.UTC), To: f.day("to", q.To, time.UTC), Before: q.Before, Limit: limit}
	if q.Member != "" {
		out.Member = f.uid("member", text(q.Member))
	}
	if !out.To.IsZero() {
		out.To = out.To.AddDate(0, 0, 1)
	}
	return out, f.err()
}

type auditInput struct {
	AuditQuery
	Size int `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type auditRow struct {
	No       int64           `json:"no"`
	At       moment          `json:"at"`
	Operator string          `json:"operator" doc:"The operator's number; empty for the command line and the program itself."`
	Name     string          `json:"name"`
	Act      string          `json:"act"`
	Member   string          `json:"member" doc:"The member whom it is about."`
	Subject  string          `json:"subject"`
	Was      json.RawMessage `json:"was,omitempty" doc:"What was before."`
	Became   json.RawMessage `json:"became,omitempty" doc:"What is since."`
	Reason   string          `json:"reason"`
	Hash     string          `json:"hash" doc:"Of this entry and all before it."`
}

type auditPage struct {
	Data [][]auditRow `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Next int64        `json:"next" doc:"Give it as before for the next page; 0 at the end."`
}

func raw(state string) json.RawMessage {
	if state == "" {
		return nil
	}
	return json.RawMessage(state)
}

func (c *Calls) audit(ctx context.Context, in *auditInput) (*struct{ Body auditPage }, error) {
	f, err := in.filter(in.Size)
	if err != nil {
		return nil, err
	}
	found, more, err := c.AuditLog.List(ctx, f)
	if err != nil {
		return nil, err
	}
	rows := []auditRow{}
	for _, e := range found {
		rows = append(rows, auditRow{e.No, at(e.At), id(e.Operator), e.Name, e.Act, id(e.Member), e.Subject, raw(e.Was), raw(e.Became), e.Reason, hex.EncodeToString(e.Hash[:])})
	}
	return &struct{ Body auditPage }{auditPage{[][]auditRow{rows}, next(found, more)}}, nil
}

// next is the key of the next page.
func next(found []auditlog.Entry, more bool) int64 {
	if !more {
		return 0
	}
	return found[len(found)-1].No
}

type auditFile struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body []byte
}

const (
	exportedAtMost = 10_000
	exportedAtOnce = 1000
)

func (c *Calls) exportAudit(ctx context.Context, in *AuditQuery) (*auditFile, error) {
	f, err := in.filter(exportedAtOnce)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"no", "at", "operator", "name", "act", "member", "subject", "was", "became", "reason", "hash"}}
	for more := true; more && len(rows) <= exportedAtMost; {
		var found []auditlog.Entry
		if found, more, err = c.AuditLog.List(ctx, f); err != nil {
			return nil, err
		}
		for _, e := range found {
			rows = append(rows, []string{
				strconv.FormatInt(e.No, 10), string(at(e.At)), id(e.Operator), export.Harmless(e.Name), export.Harmless(e.Act), id(e.Member), export.Harmless(e.Subject), export.Harmless(e.Was), export.Harmless(e.Became), export.Harmless(e.Reason), hex.EncodeToString(e.Hash[:]),
			})
		}
		f.Before = next(found, more)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("the record could not be written as CSV: %w", err)
	}
	return &auditFile{"text/csv; charset=utf-8", `attachment; filename="record.csv"`, b.Bytes()}, nil
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

func (c *Calls) memberAudit(ctx context.Context, in *memberAuditInput) (*struct{ Body memberAuditPage }, error) {
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

package operator

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

	"github.com/bifolia/bifolia/internal/api/httpx"
	memberapi "github.com/bifolia/bifolia/internal/api/member"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/platform/export"
)

func (c *Calls) registerAudit(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/audit", "List the audit log, newest first", httpx.WithReadSlot(c.Base, c.audit))
	httpx.Get(api, httpx.TagOperator, "operator/audit/export", "Export the audit log as CSV, up to 10,000 entries", c.exportAudit)
}

// AuditQuery is exported because huma ignores embedded types that are not.
type AuditQuery struct {
	Operator int64  `query:"operator" minimum:"0" doc:"The operator's id."`
	Act      string `query:"act" maxLength:"60" doc:"The action, such as block."`
	Member   string `query:"member" maxLength:"15" doc:"Only entries about this member, by user id."`
	From     string `query:"from" doc:"First day in UTC, such as 2026-01-31; empty for no limit."`
	To       string `query:"to" doc:"Last day, inclusive."`
	Before   int64  `query:"before" minimum:"0" doc:"Only entries with a smaller number: the value of next in the previous response."`
}

func (q AuditQuery) filter(limit int) (auditlog.Filter, error) {
	var f httpx.FieldErrors
	out := auditlog.Filter{Operator: q.Operator, Act: q.Act, From: f.Day("from", q.From, time.UTC), To: f.Day("to", q.To, time.UTC), Before: q.Before, Limit: limit}
	if q.Member != "" {
		out.Member = f.UserID("member", httpx.StringOrInt(q.Member))
	}
	if !out.To.IsZero() {
		out.To = out.To.AddDate(0, 0, 1)
	}
	return out, f.Err()
}

type auditInput struct {
	AuditQuery
	Size int `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type auditRow struct {
	No       int64           `json:"no"`
	At       httpx.Timestamp `json:"at"`
	Operator string          `json:"operator" doc:"The operator's id; empty for the command line and the server itself."`
	Name     string          `json:"name"`
	Act      string          `json:"act"`
	Member   string          `json:"member" doc:"The member that the entry is about."`
	Subject  string          `json:"subject"`
	Was      json.RawMessage `json:"was,omitempty" doc:"The previous state."`
	Became   json.RawMessage `json:"became,omitempty" doc:"The new state."`
	Reason   string          `json:"reason"`
	Hash     string          `json:"hash" doc:"The hash of this entry and all earlier ones."`
}

type auditPage struct {
	Data [][]auditRow `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Next int64        `json:"next" doc:"The value of before for the next page; 0 on the last page."`
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
		rows = append(rows, auditRow{e.No, httpx.ToTimestamp(e.At), httpx.FormatID(e.Operator), e.Name, e.Act, httpx.FormatID(e.Member), e.Subject, raw(e.Was), raw(e.Became), e.Reason, hex.EncodeToString(e.Hash[:])})
	}
	return &struct{ Body auditPage }{auditPage{[][]auditRow{rows}, memberapi.Next(found, more)}}, nil
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
				strconv.FormatInt(e.No, 10), string(httpx.ToTimestamp(e.At)), httpx.FormatID(e.Operator), export.Harmless(e.Name), export.Harmless(e.Act), httpx.FormatID(e.Member), export.Harmless(e.Subject), export.Harmless(e.Was), export.Harmless(e.Became), export.Harmless(e.Reason), hex.EncodeToString(e.Hash[:]),
			})
		}
		f.Before = memberapi.Next(found, more)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("the record could not be written as CSV: %w", err)
	}
	return &auditFile{"text/csv; charset=utf-8", `attachment; filename="record.csv"`, b.Bytes()}, nil
}

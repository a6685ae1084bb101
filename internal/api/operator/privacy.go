package operator

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
)

func (c *Calls) registerPrivacy(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/erasures", "List pending erasures of personal data", c.erasures)
	httpx.Get(api, httpx.TagOperator, "operator/member/privacy", "Retrieve the privacy state of a member: obstacles to erasure and the pending proposal", httpx.WithReadSlot(c.Base, c.privacy))
	httpx.PostProved(api, httpx.TagOperator, "operator/member/erasure/propose", "Propose the erasure of a member's personal data", c.proposeErasure)
	httpx.PostProved(api, httpx.TagOperator, "operator/member/erasure/decide", "Approve and execute or reject another operator's erasure, or withdraw the operator's own", c.decideErasure)
	zipped := map[string]*huma.MediaType{"application/zip": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
	huma.Register(api, huma.Operation{
		OperationID: "operatorMemberExport", Method: http.MethodPost, Path: "/api/operator/member/export", Tags: []string{httpx.TagOperator}, Metadata: map[string]any{httpx.NeedsProof: true},
		Summary:   "Export all data about a member as JSON files in a ZIP; bank details, PAN and Aadhaar number are masked for compliance",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: zipped}},
	}, func(ctx context.Context, in *personalInput) (*huma.StreamResponse, error) {
		return c.exportPersonal(ctx, api, in)
	})
}

type erasureRow struct {
	ID       string          `json:"id"`
	UID      string          `json:"uid"`
	Reason   string          `json:"reason"`
	By       string          `json:"by" doc:"The operator who proposed it."`
	At       httpx.Timestamp `json:"at"`
	State    string          `json:"state" enum:"waiting,approved,refused,withdrawn"`
	Decided  string          `json:"decidedBy"`
	DecideAt httpx.Timestamp `json:"decidedAt"`
	Digest   string          `json:"digest" doc:"The digest of the proposal; a decision must name it."`
}

func erasureOf(p auth.Proposal) erasureRow {
	return erasureRow{httpx.FormatID(p.ID), httpx.FormatID(p.Member), p.Reason, httpx.FormatID(p.By), httpx.ToTimestamp(p.At), string(p.State), httpx.FormatID(p.Decided), httpx.ToTimestamp(p.DecidedAt), p.Digest()}
}

func erasureRows(all []auth.Proposal) []erasureRow {
	rows := httpx.Rows(all, erasureOf)
	return rows
}

func (c *Calls) erasures(ctx context.Context, _ *struct{}) (*httpx.List[erasureRow], error) {
	all, err := c.Auth.Erasures(ctx, 0)
	if err != nil {
		return nil, err
	}
	return httpx.NewList(erasureRows(all), len(all), 1, max(len(all), 1)), nil
}

type obstacleRow struct {
	Kind  string `json:"kind" enum:"unblocked,hold,balance,withdrawal,position,claim,request,cooling,debt,ticket,correction"`
	Count int64  `json:"count"`
	Text  string `json:"text"`

	Account string    `json:"account" doc:"Balances only: the account."`
	Amount  httpx.USD `json:"amount" doc:"Balances only: the amount."`
}

type privacyView struct {
	Erased    httpx.Timestamp `json:"erased" doc:"The time of the erasure; empty if not erased."`
	Obstacles []obstacleRow   `json:"obstacles" nullable:"false" doc:"The obstacles to an erasure; empty if there are none."`
	Erasures  []erasureRow    `json:"erasures" nullable:"false" doc:"Pending and decided proposals, newest first."`
}

func (c *Calls) privacy(ctx context.Context, in *memberInput) (*httpx.Reply[privacyView], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	p, err := c.Staff.Privacy(ctx, uid)
	if err != nil {
		return nil, err
	}
	v := privacyView{Erased: httpx.ToTimestamp(p.Member.ErasedAt), Obstacles: []obstacleRow{}, Erasures: erasureRows(p.Erasures)}
	for _, o := range p.Obstacles {
		v.Obstacles = append(v.Obstacles, obstacleRow{o.Kind, o.Count, o.Text, o.Account, httpx.ToUSD(o.Amount)})
	}
	return httpx.NewReply(v), nil
}

type erasureInput struct {
	httpx.Idempotent
	Body struct {
		UID    httpx.StringOrInt `json:"uid"`
		Reason string            `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log, so it must not name a person."`
	}
}

func (c *Calls) proposeErasure(ctx context.Context, in *erasureInput) (*httpx.Reply[erasureRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(erasureOf)(c.Staff.ProposeErasure(ctx, by, in.Key, uid, in.Body.Reason))
}

func (c *Calls) decideErasure(ctx context.Context, in *decideInput) (*httpx.Reply[erasureRow], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(erasureOf)(c.Staff.DecideErasure(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve))
}

type personalInput struct {
	httpx.Idempotent
	Body struct {
		UID    httpx.StringOrInt `json:"uid"`
		Reason string            `json:"reason" doc:"The reason, 5 to 200 characters; shown to the member."`
	}
}

func (c *Calls) exportPersonal(ctx context.Context, api huma.API, in *personalInput) (*huma.StreamResponse, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	leave, err := c.AcquireFileSlot(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Staff.Export(ctx, by, in.Key, uid, in.Body.Reason); err != nil {
		leave()
		return nil, err
	}
	full := httpx.SeesBankDetails(httpx.SessionOf(ctx).Role)
	return httpx.StreamFile(ctx, api, leave, "personal-data-"+httpx.FormatID(uid)+".zip", "application/zip", func(w io.Writer) error { return c.writePersonal(ctx, w, uid, full) }), nil
}

// writePersonal writes one JSON file for each kind of data, row by row.
func (c *Calls) writePersonal(ctx context.Context, w io.Writer, uid int64, full bool) error {
	z := zip.NewWriter(w)
	var file io.Writer
	rows := 0
	end := func() error {
		if file == nil {
			return nil
		}
		tail := "\n]\n"
		if rows == 0 {
			tail = "[]\n"
		}
		_, err := io.WriteString(file, tail)
		return err
	}
	begin := func(kind string) (err error) {
		if err := end(); err != nil {
			return err
		}
		rows = 0
		file, err = z.CreateHeader(&zip.FileHeader{Name: kind + ".json", Method: zip.Deflate, Modified: c.Clock.Now()})
		return err
	}
	row := func(fields []staff.PersonalField) error {
		head := ",\n"
		if rows == 0 {
			head = "[\n"
		}
		rows++
		_, err := io.WriteString(file, head+objectOf(fields))
		return err
	}
	if err := c.Staff.Personal(ctx, uid, full, begin, row); err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	return z.Close()
}

// objectOf encodes a row as JSON with its fields in order.
func objectOf(fields []staff.PersonalField) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(f.Name) // strings always encode
		value, _ := json.Marshal(f.Value)
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.String()
}

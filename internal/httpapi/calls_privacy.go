package httpapi

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
)

func (c *Calls) registerPrivacy(api huma.API) {
	get(api, tagOperator, "operator/erasures", "Erasures of personal data that wait for somebody else's approval", c.erasures)
	get(api, tagOperator, "operator/member/privacy", "How a member's personal data stands: what is in the way of erasing it, and who proposed that", inTurn(c, c.privacy))
	postProved(api, tagOperator, "operator/member/erasure/propose", "Propose that a member's personal data is erased", c.proposeErasure)
	postProved(api, tagOperator, "operator/member/erasure/decide", "Approve somebody else's erasure, which does it, or refuse it; or withdraw one's own", c.decideErasure)
	zipped := map[string]*huma.MediaType{"application/zip": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
	huma.Register(api, huma.Operation{
		OperationID: "operatorMemberExport", Method: http.MethodPost, Path: "/api/operator/member/export", Tags: []string{tagOperator}, Metadata: map[string]any{needsProof: true},
		Summary:   "Everything that is held about a member, as JSON files in a ZIP; bank details, PAN and Aadhaar number masked for compliance",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: zipped}},
	}, func(ctx context.Context, in *personalInput) (*huma.StreamResponse, error) {
		return c.exportPersonal(ctx, api, in)
	})
}

type erasureRow struct {
	ID       string `json:"id"`
	UID      string `json:"uid"`
	Reason   string `json:"reason"`
	By       string `json:"by" doc:"The operator who proposed it."`
	At       moment `json:"at"`
	State    string `json:"state" enum:"waiting,approved,refused,withdrawn"`
	Decided  string `json:"decidedBy"`
	DecideAt moment `json:"decidedAt"`
	Digest   string `json:"digest" doc:"Of what is proposed: whoever decides names it."`
}

func erasureOf(p auth.Proposal) erasureRow {
	return erasureRow{id(p.ID), id(p.Member), p.Reason, id(p.By), at(p.At), string(p.State), id(p.Decided), at(p.DecidedAt), p.Digest()}
}

func erasureRows(all []auth.Proposal) []erasureRow {
	rows := []erasureRow{}
	for _, p := range all {
		rows = append(rows, erasureOf(p))
	}
	return rows
}

func (c *Calls) erasures(ctx context.Context, _ *struct{}) (*list[erasureRow], error) {
	all, err := c.Auth.Erasures(ctx, 0)
	if err != nil {
		return nil, err
	}
	return pageOf(erasureRows(all), len(all), 1, max(len(all), 1)), nil
}

type obstacleRow struct {
	Kind  string `json:"kind" enum:"unblocked,hold,balance,withdrawal,position,claim,request,cooling,debt,ticket,correction"`
	Count int64  `json:"count"`
	Text  string `json:"text"`

	Account string `json:"account" doc:"Of a balance: the account."`
	Amount  usd    `json:"amount" doc:"Of a balance: what is there."`
}

type privacyView struct {
	Erased    moment        `json:"erased" doc:"When the data was erased; empty if it was not."`
	Obstacles []obstacleRow `json:"obstacles" nullable:"false" doc:"What is in the way of erasing it; empty if nothing is."`
	Erasures  []erasureRow  `json:"erasures" nullable:"false" doc:"Proposed and decided, newest first."`
}

func (c *Calls) privacy(ctx context.Context, in *memberInput) (*reply[privacyView], error) {
	var f fields
	uid := f.uid("uid", text(in.UID))
	if err := f.err(); err != nil {
		return nil, err
	}
	p, err := c.Office.Privacy(ctx, uid)
	if err != nil {
		return nil, err
	}
	v := privacyView{Erased: at(p.Member.ErasedAt), Obstacles: []obstacleRow{}, Erasures: erasureRows(p.Erasures)}
	for _, o := range p.Obstacles {
		v.Obstacles = append(v.Obstacles, obstacleRow{o.Kind, o.Count, o.Text, o.Account, dollars(o.Amount)})
	}
	return answer(v), nil
}

type erasureInput struct {
	Keyed
	Body struct {
		UID    text   `json:"uid"`
		Reason string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record: name nobody in it."`
	}
}

func (c *Calls) proposeErasure(ctx context.Context, in *erasureInput) (*reply[erasureRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	p, err := c.Office.ProposeErasure(ctx, by, in.Key, uid, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return answer(erasureOf(p)), nil
}

func (c *Calls) decideErasure(ctx context.Context, in *decideInput) (*reply[erasureRow], error) {
	var f fields
	number := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Office.DecideErasure(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve)
	if err != nil {
		return nil, err
	}
	return answer(erasureOf(p)), nil
}

type personalInput struct {
	Keyed
	Body struct {
		UID    text   `json:"uid"`
		Reason string `json:"reason" doc:"Why; 5 to 200 characters. The member sees it."`
	}
}

func (c *Calls) exportPersonal(ctx context.Context, api huma.API, in *personalInput) (*huma.StreamResponse, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	leave, err := c.files.enter(-by.Operator) // operators have turns of their own
	if err != nil {
		return nil, err
	}
	if err := c.Office.Export(ctx, by, in.Key, uid, in.Body.Reason); err != nil {
		leave()
		return nil, err
	}
	full := seesBankDetails(sessionOf(ctx).Role)
	return stream(ctx, api, leave, "personal-data-"+id(uid)+".zip", "application/zip", func(w io.Writer) error { return c.writePersonal(ctx, w, uid, full) }), nil
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
	if err := c.Office.Personal(ctx, uid, full, begin, row); err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	return z.Close()
}

// objectOf is a row as JSON, its fields in their order.
func objectOf(fields []staff.PersonalField) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(f.Name) // texts always encode
		value, _ := json.Marshal(f.Value)
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.String()
}

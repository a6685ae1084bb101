package operator

import (
	"context"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

func (c *Calls) registerTrading(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/bookings", "List proposed bookings, bookings awaiting a close, and profit awaiting settlement", httpx.WithReadSlot(c.Base, c.openBookings))
	httpx.Post(api, httpx.TagOperator, "operator/evidence", "Upload evidence for a booking, up to 10 MB; returns its hash", c.keepEvidence)
	file := map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
	huma.Register(api, huma.Operation{
		OperationID: "operatorEvidenceFile", Method: http.MethodGet, Path: httpx.EvidencePath + "/file", Tags: []string{httpx.TagOperator}, Summary: "Download evidence of a booking",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: file}},
	}, c.evidence)
}

type bookingRow struct {
	ID        string          `json:"id"`
	Kind      string          `json:"kind" enum:"pnl,settle,chargeback"`
	Line      string          `json:"line"`
	Sale      string          `json:"sale"`
	Amount    httpx.USD       `json:"amount"`
	Reference string          `json:"reference"`
	Evidence  string          `json:"evidence" doc:"The SHA-256 of the evidence file; empty if there is none."`
	Operator  string          `json:"operator" doc:"The id of the operator who booked it."`
	Day       string          `json:"day" doc:"The day whose close executes it."`
	At        httpx.Timestamp `json:"at"`
}

type heldRow struct {
	ID   string    `json:"id"`
	Line string    `json:"line"`
	Day  string    `json:"day" doc:"The day whose close booked it."`
	Age  int64     `json:"age" doc:"The age in days."`
	ROI  httpx.USD `json:"roi"`
	Fee  httpx.USD `json:"fee"`
}

type openBookings struct {
	Bookings []bookingRow      `json:"bookings" nullable:"false"`
	Waiting  []bookingProposal `json:"waiting" nullable:"false" doc:"Bookings waiting for approval."`
	Decided  []bookingProposal `json:"decided" nullable:"false" doc:"Decided proposals, latest first; at most 20."`
	Held     []heldRow         `json:"held" nullable:"false" doc:"Booked profit on Hold, oldest first; at most 200."`
}

func (c *Calls) openBookings(ctx context.Context, _ *struct{}) (*httpx.Reply[openBookings], error) {
	open, held, err := c.Closing.Unfinished(ctx)
	if err != nil {
		return nil, err
	}
	waiting, decided, err := c.Bookings.Proposals(ctx)
	if err != nil {
		return nil, err
	}
	out := openBookings{Bookings: []bookingRow{}, Waiting: c.bookingRows(ctx, waiting), Decided: c.bookingRows(ctx, decided), Held: []heldRow{}}
	for _, b := range open {
		out.Bookings = append(out.Bookings, bookingRow{b.ID, b.Kind, b.Line, b.Sale, httpx.ToUSD(b.Amount), b.Reference, b.Evidence, httpx.FormatID(b.Operator), b.Day.String(), httpx.ToTimestamp(b.At)})
	}
	today, err := c.Closing.Today(ctx)
	if err != nil {
		return nil, err
	}
	for _, h := range held {
		out.Held = append(out.Held, heldRow{h.ID, h.Line, h.Day.String(), max(int64(today-h.Day), 0), httpx.ToUSD(h.ROI), httpx.ToUSD(h.Fee)})
	}
	return httpx.NewReply(out), nil
}

type evidenceInput struct {
	httpx.Idempotent
	Name    string `query:"name" maxLength:"300" doc:"The file name."`
	RawBody []byte `contentType:"application/octet-stream"`
}

type evidenceRow struct {
	Hash string `json:"hash" doc:"The SHA-256 of the file, for the booking."`
	Name string `json:"name"`
}

func (c *Calls) keepEvidence(ctx context.Context, in *evidenceInput) (*httpx.Reply[evidenceRow], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	e, err := c.Bookings.Keep(ctx, by, in.Key, in.Name, in.RawBody)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(evidenceRow{e.Hash, e.Name}), nil
}

type hashInput struct {
	Hash string `query:"hash" minLength:"64" maxLength:"64"`
}

type evidenceFile struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body []byte
}

// evidence serves a file for download only: a browser must never render or run an uploaded
// file.
func (c *Calls) evidence(ctx context.Context, in *hashInput) (*evidenceFile, error) {
	leave, err := c.AcquireFileSlot(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var e booking.Evidence
	if e, err = c.Bookings.File(ctx, in.Hash); err != nil {
		return nil, err
	}
	return &evidenceFile{"application/octet-stream", mime.FormatMediaType("attachment", map[string]string{"filename": e.Name}), e.Body}, nil
}

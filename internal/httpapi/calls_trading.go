package httpapi

import (
	"context"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/trade/booking"
)

// evidencePath takes more than other calls do: a whole file.
const evidencePath = "/api/operator/evidence"

func (c *Calls) registerTrading(api huma.API) {
	get(api, tagOperator, "operator/bookings", "Proposed bookings, bookings that no close has done, and booked profit that no settlement has covered", inTurn(c, c.openBookings))
	post(api, tagOperator, "operator/evidence", "Keep a file that a booking rests on, up to 10 MB; answers its hash", c.keepEvidence)
	file := map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
	huma.Register(api, huma.Operation{
		OperationID: "operatorEvidenceFile", Method: http.MethodGet, Path: evidencePath + "/file", Tags: []string{tagOperator}, Summary: "A file that a booking rests on",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: file}},
	}, c.evidence)
}

type bookingRow struct {
	ID        string `json:"id"`
	Kind      string `json:"kind" enum:"pnl,settle,chargeback"`
	Line      string `json:"line"`
	Sale      string `json:"sale"`
	Amount    usd    `json:"amount"`
	Reference string `json:"reference"`
	Evidence  string `json:"evidence" doc:"The SHA-256 of the file it rests on; empty without one."`
	Operator  string `json:"operator" doc:"Who booked it, by number."`
	Day       string `json:"day" doc:"Whose close does it."`
	At        moment `json:"at"`
}

type heldRow struct {
	ID   string `json:"id"`
	Line string `json:"line"`
	Day  string `json:"day" doc:"Whose close booked it."`
	Age  int64  `json:"age" doc:"How many days ago that was."`
	ROI  usd    `json:"roi"`
	Fee  usd    `json:"fee"`
}

type openBookings struct {
	Bookings []bookingRow      `json:"bookings" nullable:"false"`
	Waiting  []bookingProposal `json:"waiting" nullable:"false" doc:"Proposed, and nobody has decided."`
	Decided  []bookingProposal `json:"decided" nullable:"false" doc:"Proposed and decided, the latest first; at most 20."`
	Held     []heldRow         `json:"held" nullable:"false" doc:"Booked profit on Hold, oldest first; at most 200."`
}

func (c *Calls) openBookings(ctx context.Context, _ *struct{}) (*reply[openBookings], error) {
	open, held, err := c.Closing.Unfinished(ctx)
	if err != nil {
		return nil, err
	}
	waiting, decided, err := c.Operate.Proposals(ctx)
	if err != nil {
		return nil, err
	}
	out := openBookings{Bookings: []bookingRow{}, Waiting: c.bookingRows(ctx, waiting), Decided: c.bookingRows(ctx, decided), Held: []heldRow{}}
	for _, b := range open {
		out.Bookings = append(out.Bookings, bookingRow{b.ID, b.Kind, b.Line, b.Sale, dollars(b.Amount), b.Reference, b.Evidence, id(b.Operator), b.Day.String(), at(b.At)})
	}
	today, err := c.Closing.Today(ctx)
	if err != nil {
		return nil, err
	}
	for _, h := range held {
		out.Held = append(out.Held, heldRow{h.ID, h.Line, h.Day.String(), max(int64(today-h.Day), 0), dollars(h.ROI), dollars(h.Fee)})
	}
	return answer(out), nil
}

type evidenceInput struct {
	Keyed
	Name    string `query:"name" maxLength:"300" doc:"Of the file."`
	RawBody []byte `contentType:"application/octet-stream"`
}

type evidenceRow struct {
	Hash string `json:"hash" doc:"SHA-256: the booking names it."`
	Name string `json:"name"`
}

func (c *Calls) keepEvidence(ctx context.Context, in *evidenceInput) (*reply[evidenceRow], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	e, err := c.Operate.Keep(ctx, by, in.Key, in.Name, in.RawBody)
	if err != nil {
		return nil, err
	}
	return answer(evidenceRow{e.Hash, e.Name}), nil
}

type hashInput struct {
	Hash string `query:"hash" minLength:"64" maxLength:"64"`
}

type evidenceFile struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body []byte
}

// evidence answers a file as bytes and nothing else: a browser must save what
// somebody sent, and never show or run it.
func (c *Calls) evidence(ctx context.Context, in *hashInput) (*evidenceFile, error) {
	leave, err := c.files.enter(-sessionOf(ctx).Operator)
	if err != nil {
		return nil, err
	}
	defer leave()
	var e booking.Evidence
	if e, err = c.Operate.File(ctx, in.Hash); err != nil {
		return nil, err
	}
	return &evidenceFile{"application/octet-stream", mime.FormatMediaType("attachment", map[string]string{"filename": e.Name}), e.Body}, nil
}

package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

func (c *OperatorCalls) registerWhatIf(api huma.API) {
	post(api, tagOperator, "operator/plan/whatif/start", "Live the closed days again under a draft, beside the books", c.startWhatIf)
	get(api, tagOperator, "operator/plan/whatif", "How far that has come, and what came of it", c.showWhatIf)
}

// WhatIfer lives the history again under another plan, one at a time.
type WhatIfer interface {
	// Start begins with a plan. Invalid if it is wrong; Conflict while another
	// one runs.
	Start(plan []byte) error
	State() Study[WhatIfResult]
}

// Study is how far work beside the books has come, and what came of it.
type Study[R any] struct {
	Running        bool
	Of             string // a draft's version, a day; "" before the first
	Started, Ended time.Time
	Done, Total    int64 // days
	Failed         string
	Result         *R
}

// WhatIfResult is what the history paid beside what the draft would have paid.
type WhatIfResult struct {
	First   string   `json:"first"`
	Last    string   `json:"last"`
	Events  int      `json:"events"`
	Plans   []string `json:"plans" nullable:"false" doc:"That the days were closed by."`
	Figures []Beside `json:"figures" nullable:"false" doc:"By kind of income, then paid in all, of it out of pools, and revenue."`
	Payout  Beside   `json:"payout" doc:"Payout to revenue, in parts per million."`
	Refused int      `json:"refused" doc:"Events that one of the two refuses and the other does not."`
	Members []Beside `json:"members" nullable:"false" doc:"The largest differences, by user id."`
}

// Beside is one figure of both.
type Beside struct {
	Name       string `json:"name"`
	Actual     string `json:"actual"`
	WhatIf     string `json:"whatIf"`
	Difference string `json:"difference"`
}

type whatIfAnswer struct {
	Running bool          `json:"running"`
	Version string        `json:"version" doc:"Of the draft; empty before the first."`
	Started moment        `json:"started"`
	Ended   moment        `json:"ended"`
	Done    int64         `json:"done" doc:"Days lived."`
	Total   int64         `json:"total" doc:"Of so many; 0 while the history is read."`
	Failed  string        `json:"failed" doc:"Why nothing came of it; empty if something did."`
	Result  *WhatIfResult `json:"result,omitempty"`
}

func (c *OperatorCalls) showWhatIf(context.Context, *struct{}) (*reply[whatIfAnswer], error) {
	s := c.WhatIf.State()
	return answer(whatIfAnswer{s.Running, s.Of, at(s.Started), at(s.Ended), s.Done, s.Total, s.Failed, s.Result}), nil
}

type whatIfInput struct{ Body whatIfBody }

type whatIfBody struct {
	Plan json.RawMessage `json:"plan" doc:"The draft's file."`
}

func (c *OperatorCalls) startWhatIf(ctx context.Context, in *whatIfInput) (*reply[whatIfAnswer], error) {
	if err := c.WhatIf.Start(in.Body.Plan); err != nil {
		return nil, err
	}
	return c.showWhatIf(ctx, nil)
}

package operator

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

func (c *Calls) registerWhatIf(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/plan/whatif/start", "Replay the closed days under a draft plan", c.startWhatIf)
	httpx.GetFromLeader(api, httpx.TagOperator, "operator/plan/whatif", "Retrieve the progress and result of the run", c.showWhatIf)
}

// WhatIfer replays the history under another plan, one at a time.
type WhatIfer interface {
	// Start starts a replay under a plan. It returns Invalid for an invalid plan and
	// Conflict while another replay runs.
	Start(plan []byte) error
	State() RunState[WhatIfResult]
}

// RunState is the progress and result of a replay.
type RunState[R any] struct {
	Running        bool
	Of             string // the version of a draft, or a day; "" before the first
	Started, Ended time.Time
	Done, Total    int64 // days
	Failed         string
	Result         *R
}

// WhatIfResult compares the payouts of the history with those of the draft.
type WhatIfResult struct {
	First   string   `json:"first"`
	Last    string   `json:"last"`
	Events  int      `json:"events"`
	Plans   []string `json:"plans" nullable:"false" doc:"The plans of the closed days."`
	Figures []Beside `json:"figures" nullable:"false" doc:"The totals by kind of income, then overall, paid from pools, and revenue."`
	Payout  Beside   `json:"payout" doc:"The ratio of payout to revenue, in parts per million."`
	Refused int      `json:"refused" doc:"Events that only one of the two plans rejects."`
	Members []Beside `json:"members" nullable:"false" doc:"The largest differences, by user id."`
}

// Beside is a figure under both plans.
type Beside struct {
	Name       string `json:"name"`
	Actual     string `json:"actual"`
	WhatIf     string `json:"whatIf"`
	Difference string `json:"difference"`
}

type whatIfAnswer struct {
	Running bool            `json:"running"`
	Version string          `json:"version" doc:"The version of the draft; empty before the first run."`
	Started httpx.Timestamp `json:"started"`
	Ended   httpx.Timestamp `json:"ended"`
	Done    int64           `json:"done" doc:"The number of replayed days."`
	Total   int64           `json:"total" doc:"The number of days to replay; 0 while the history is read."`
	Failed  string          `json:"failed" doc:"Why the run failed; empty if it did not."`
	Result  *WhatIfResult   `json:"result,omitempty"`
}

func (c *Calls) showWhatIf(context.Context, *struct{}) (*httpx.Reply[whatIfAnswer], error) {
	s := c.WhatIf.State()
	return httpx.NewReply(whatIfAnswer{s.Running, s.Of, httpx.ToTimestamp(s.Started), httpx.ToTimestamp(s.Ended), s.Done, s.Total, s.Failed, s.Result}), nil
}

type whatIfBody struct {
	Plan json.RawMessage `json:"plan" doc:"The file of the draft plan."`
}

func (c *Calls) startWhatIf(ctx context.Context, in *httpx.Body[whatIfBody]) (*httpx.Reply[whatIfAnswer], error) {
	if err := c.WhatIf.Start(in.Body.Plan); err != nil {
		return nil, err
	}
	return c.showWhatIf(ctx, nil)
}

package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerReplay(api huma.API) {
	post(api, tagOperator, "operator/close/replay/start", "Make a past close again from what was recorded, beside the books, and compare", c.startReplay)
	get(api, tagOperator, "operator/close/replay", "How far that has come, and what came of it", c.showReplay)
}

// Replayer makes past closes again, one at a time.
type Replayer interface {
	// Start begins with a day. Conflict while another one is made.
	Start(day plan.Day) error
	State() Study[closing.Replayed]
}

type replayAnswer struct {
	Running bool          `json:"running"`
	Day     string        `json:"day" doc:"Empty before the first."`
	Started moment        `json:"started"`
	Ended   moment        `json:"ended"`
	Done    int64         `json:"done" doc:"Days made again."`
	Total   int64         `json:"total" doc:"Of so many; 0 while the history is read."`
	Failed  string        `json:"failed" doc:"Why nothing came of it; empty if something did."`
	Result  *replayResult `json:"result,omitempty"`
}

type replayResult struct {
	Equal       bool               `json:"equal" doc:"The digest and every stored row come out again, and no earlier day with other rows."`
	Digest      string             `json:"digest" doc:"As it was committed."`
	Again       string             `json:"again" doc:"As it comes out."`
	Plan        string             `json:"plan"`
	Rows        int64              `json:"rows" doc:"That were committed."`
	AgainRows   int64              `json:"againRows" doc:"That come out."`
	Before      string             `json:"before" doc:"The first earlier day that comes out with other rows; empty if none does."`
	Differences []replayDifference `json:"differences" nullable:"false" doc:"The first ones."`
	More        int64              `json:"more" doc:"How many there are besides."`
}

type replayDifference struct {
	What   string `json:"what" enum:"row,sale,plan"`
	ID     string `json:"id"`
	Field  string `json:"field"`
	Stored string `json:"stored" doc:"Empty where nothing is stored."`
	Again  string `json:"again" doc:"Empty where nothing comes out."`
}

func (c *Calls) showReplay(context.Context, *struct{}) (*reply[replayAnswer], error) {
	s := c.Replay.State()
	out := replayAnswer{Running: s.Running, Day: s.Of, Started: at(s.Started), Ended: at(s.Ended), Done: s.Done, Total: s.Total, Failed: s.Failed}
	if r := s.Result; r != nil {
		out.Result = &replayResult{
			Equal: r.Equal(), Digest: r.Digest, Again: r.Again, Plan: r.Plan, Rows: r.Rows, AgainRows: r.AgainRows, More: r.MoreDifferences, Differences: []replayDifference{},
		}
		if r.Before != 0 {
			out.Result.Before = r.Before.String()
		}
		for _, d := range r.Differences {
			out.Result.Differences = append(out.Result.Differences, replayDifference(d))
		}
	}
	return answer(out), nil
}

type replayInput struct{ Body replayBody }

type replayBody struct {
	Day string `json:"day" example:"2026-01-31"`
}

func (c *Calls) startReplay(ctx context.Context, in *replayInput) (*reply[replayAnswer], error) {
	day, err := plan.ParseDay(in.Body.Day)
	if err != nil {
		return nil, err
	}
	if _, err := c.Closing.Shown(ctx, day); err != nil {
		return nil, err
	}
	if err := c.Replay.Start(day); err != nil {
		return nil, err
	}
	return c.showReplay(ctx, nil)
}

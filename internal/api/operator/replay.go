package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerReplay(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/close/replay/start", "Start replaying a past close from its recorded input, and compare the results", c.startReplay)
	httpx.GetFromLeader(api, httpx.TagOperator, "operator/close/replay", "Retrieve the progress and result of the run", c.showReplay)
}

// Replayer replays past closes, one at a time.
type Replayer interface {
	// Start starts replaying a day. It returns Conflict while another replay runs.
	Start(day plan.Day) error
	State() RunState[closing.Replayed]
}

type replayAnswer struct {
	Running bool            `json:"running"`
	Day     string          `json:"day" doc:"The day; empty before the first run."`
	Started httpx.Timestamp `json:"started"`
	Ended   httpx.Timestamp `json:"ended"`
	Done    int64           `json:"done" doc:"The number of replayed days."`
	Total   int64           `json:"total" doc:"The number of days to replay; 0 while the history is read."`
	Failed  string          `json:"failed" doc:"Why the run failed; empty if it did not."`
	Result  *replayResult   `json:"result,omitempty"`
}

type replayResult struct {
	Equal       bool               `json:"equal" doc:"Whether the replay reproduces the digest and all stored rows, of this day and all earlier days."`
	Digest      string             `json:"digest" doc:"The committed digest."`
	Again       string             `json:"again" doc:"The replayed digest."`
	Plan        string             `json:"plan"`
	Rows        int64              `json:"rows" doc:"The number of committed rows."`
	AgainRows   int64              `json:"againRows" doc:"The number of replayed rows."`
	Before      string             `json:"before" doc:"The first earlier day with different rows; empty if there is none."`
	Differences []replayDifference `json:"differences" nullable:"false" doc:"The first differences."`
	More        int64              `json:"more" doc:"The number of further differences."`
}

type replayDifference struct {
	What   string `json:"what" enum:"row,sale,plan"`
	ID     string `json:"id"`
	Field  string `json:"field"`
	Stored string `json:"stored" doc:"The stored value; empty if there is none."`
	Again  string `json:"again" doc:"The replayed value; empty if there is none."`
}

func (c *Calls) showReplay(context.Context, *struct{}) (*httpx.Reply[replayAnswer], error) {
	s := c.Replay.State()
	out := replayAnswer{Running: s.Running, Day: s.Of, Started: httpx.ToTimestamp(s.Started), Ended: httpx.ToTimestamp(s.Ended), Done: s.Done, Total: s.Total, Failed: s.Failed}
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
	return httpx.NewReply(out), nil
}

type replayBody struct {
	Day string `json:"day" example:"2026-01-31"`
}

func (c *Calls) startReplay(ctx context.Context, in *httpx.Body[replayBody]) (*httpx.Reply[replayAnswer], error) {
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

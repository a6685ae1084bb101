package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/plan"
)

func (c *Calls) registerHealth(api huma.API) {
	get(api, tagOperator, "operator/health", "Whether all is well: closes, the ledger's check, mail, chain, disk", c.health)
}

// Healther tells how the process and what it depends on are.
type Healther interface {
	Health(ctx context.Context) (Health, error)
}

// Health is whether all is well.
type Health struct {
	Leading bool // this process writes, and so runs the jobs

	Closed   plan.Day // the last closed day
	ClosedAt time.Time
	NextDay  plan.Day
	NextOver bool // it waits to be closed

	CheckedAt time.Time // the last reconciliation
	Finding   string    // what it found wrong
	Frozen    string    // why money stands still

	MailServer  bool
	MailWaiting int
	MailOldest  time.Time
	MailFailed  int

	Chain       bool // one is configured
	LookedAt    time.Time
	LookError   string
	Nodes, Down int

	Free     int64 // bytes on the disk of the data folder or the database's, whichever has less
	LowBelow int64
	Database int64 // bytes
}

type healthAnswer struct {
	Leading bool         `json:"leading" doc:"Whether the process that answers is the one that writes. One that stands by runs no jobs: times of checks are then empty."`
	Close   closeHealth  `json:"close"`
	Ledger  ledgerHealth `json:"ledger"`
	Mail    mailHealth   `json:"mail"`
	Chain   chainHealth  `json:"chain"`
	Disk    diskHealth   `json:"disk"`
}

type closeHealth struct {
	Day      string `json:"day" doc:"The last closed day; empty before the first."`
	At       moment `json:"at"`
	Next     string `json:"next" doc:"The day to be closed next; empty while nothing has happened."`
	NextOver bool   `json:"next_over" doc:"It waits to be closed."`
}

type ledgerHealth struct {
	Checked moment `json:"checked" doc:"When the last reconciliation ended."`
	Finding string `json:"finding" doc:"What it found wrong; empty when nothing."`
	Frozen  string `json:"frozen" doc:"Why money stands still; empty when it moves."`
}

type mailHealth struct {
	Server  bool   `json:"server" doc:"Whether mail can go out at all."`
	Waiting int    `json:"waiting"`
	Oldest  moment `json:"oldest" doc:"When the oldest waiting mail was queued."`
	Failed  int    `json:"failed" doc:"Given up so far."`
}

type chainHealth struct {
	Configured bool   `json:"configured"`
	Looked     moment `json:"looked" doc:"When the watcher last ended a round."`
	Error      string `json:"error" doc:"Why that round failed; empty when it did not."`
	Nodes      int    `json:"nodes"`
	Down       int    `json:"down" doc:"Nodes that did not answer when they were last asked."`
}

type diskHealth struct {
	Free     int64 `json:"free" doc:"Free bytes where the data folder and an SQLite database are; -1 if unknown."`
	Low      bool  `json:"low" doc:"Too little is free."`
	LowBelow int64 `json:"low_below" doc:"What counts as too little, in bytes."`
	Database int64 `json:"database" doc:"The database's size in bytes."`
}

func (c *Calls) health(ctx context.Context, _ *struct{}) (*reply[healthAnswer], error) {
	h, err := c.Health.Health(ctx)
	if err != nil {
		return nil, err
	}
	day := func(d plan.Day) string {
		if d == 0 {
			return ""
		}
		return d.String()
	}
	return answer(healthAnswer{
		Leading: h.Leading,
		Close:   closeHealth{day(h.Closed), at(h.ClosedAt), day(h.NextDay), h.NextOver},
		Ledger:  ledgerHealth{at(h.CheckedAt), h.Finding, h.Frozen},
		Mail:    mailHealth{h.MailServer, h.MailWaiting, at(h.MailOldest), h.MailFailed},
		Chain:   chainHealth{h.Chain, at(h.LookedAt), h.LookError, h.Nodes, h.Down},
		Disk:    diskHealth{h.Free, h.Free >= 0 && h.Free < h.LowBelow, h.LowBelow, h.Database},
	}), nil
}

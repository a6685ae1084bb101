package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
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
	Anchor    string    // why the head is not written down outside of the database

	MailServer  bool
	MailWaiting int
	MailOldest  time.Time
	MailFailed  int
	MailForged  int // waiting letters that somebody has changed

	Chain       bool // one is configured
	LookedAt    time.Time
	LookError   string
	Nodes, Down int
	Held        string // why payouts are held; "" while they are not

	Reach Reach

	Free     int64 // bytes on the disk of the data folder or the database's, whichever has less
	LowBelow int64
	Database int64 // bytes
}

// Reach is what is wrong with how the server is reached; "" where nothing is.
type Reach struct {
	Proxy  string `json:"proxy" doc:"The address of a proxy that has passed requests on and is not among the trusted ones: everybody behind it counts as one caller. Empty when there is none."`
	Seen   moment `json:"proxy_seen" doc:"When that proxy last passed a request on."`
	URL    string `json:"url" doc:"The address that people are told, if it is plain http and not of this machine; else empty."`
	Listen string `json:"listen" doc:"Where the server listens, if that is beyond this machine and no trusted proxy has yet passed on a request that came by https; else empty."`
}

// PassedOn says which proxy that is not trusted has passed requests on, and when last.
func (r *Reach) PassedOn(by Reached) {
	if by.Proxy.IsValid() {
		r.Proxy, r.Seen = by.Proxy.String(), at(by.Seen)
	}
}

type healthAnswer struct {
	Leading bool         `json:"leading" doc:"Whether the process that answers is the one that writes. One that stands by runs no jobs: times of checks are then empty."`
	Close   closeHealth  `json:"close"`
	Ledger  ledgerHealth `json:"ledger"`
	Mail    mailHealth   `json:"mail"`
	Chain   chainHealth  `json:"chain"`
	Disk    diskHealth   `json:"disk"`
	Reach   Reach        `json:"reach" doc:"What is wrong with how the server is reached."`
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
	Anchor  string `json:"anchor" doc:"Why the head is not anchored outside of the database; empty when it is."`
}

type mailHealth struct {
	Server  bool   `json:"server" doc:"Whether mail can go out at all."`
	Waiting int    `json:"waiting"`
	Oldest  moment `json:"oldest" doc:"When the oldest waiting mail was queued."`
	Failed  int    `json:"failed" doc:"Given up so far."`
	Forged  int    `json:"forged" doc:"Letters that are not sent, because their row is not what the server wrote."`
}

type chainHealth struct {
	Configured bool   `json:"configured"`
	Looked     moment `json:"looked" doc:"When the watcher last ended a round."`
	Error      string `json:"error" doc:"Why that round failed; empty when it did not."`
	Nodes      int    `json:"nodes"`
	Down       int    `json:"down" doc:"Nodes that did not answer when they were last asked."`
	Held       string `json:"payouts_held" doc:"Why payouts are held until operators adopt the state; empty while they are not."`
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
		Ledger:  ledgerHealth{at(h.CheckedAt), h.Finding, h.Frozen, h.Anchor},
		Mail:    mailHealth{h.MailServer, h.MailWaiting, at(h.MailOldest), h.MailFailed, h.MailForged},
		Chain:   chainHealth{h.Chain, at(h.LookedAt), h.LookError, h.Nodes, h.Down, h.Held},
		Disk:    diskHealth{h.Free, h.Free >= 0 && h.Free < h.LowBelow, h.LowBelow, h.Database},
		Reach:   h.Reach,
	}), nil
}

package operator

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

func (c *Calls) registerHealth(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/health", "Retrieve the health of closes, the ledger check, mail, chain and disk", c.health)
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
	Proxy  string       `json:"proxy" doc:"The address of an untrusted proxy that forwards requests: all clients behind it count as one caller. Empty if there is none."`
	Seen   httpx.Moment `json:"proxy_seen" doc:"The time of the last request through that proxy."`
	URL    string       `json:"url" doc:"The public URL, if it is plain http and not local; else empty."`
	Listen string       `json:"listen" doc:"The listen address, if it is not local and no trusted proxy has yet forwarded an https request; else empty."`
}

// PassedOn says which proxy that is not trusted has passed requests on, and when last.
func (r *Reach) PassedOn(by httpx.Reached) {
	if by.Proxy.IsValid() {
		r.Proxy, r.Seen = by.Proxy.String(), httpx.At(by.Seen)
	}
}

type healthAnswer struct {
	Leading bool         `json:"leading" doc:"Whether this process is the leader. A standby runs no jobs, so the times of checks are empty."`
	Close   closeHealth  `json:"close"`
	Ledger  ledgerHealth `json:"ledger"`
	Mail    mailHealth   `json:"mail"`
	Chain   chainHealth  `json:"chain"`
	Disk    diskHealth   `json:"disk"`
	Reach   Reach        `json:"reach" doc:"Problems with how the server is reached."`
}

type closeHealth struct {
	Day      string       `json:"day" doc:"The last closed day; empty before the first."`
	At       httpx.Moment `json:"at"`
	Next     string       `json:"next" doc:"The next day to close; empty before the first event."`
	NextOver bool         `json:"next_over" doc:"Whether that day is due."`
}

type ledgerHealth struct {
	Checked httpx.Moment `json:"checked" doc:"The time of the last reconciliation."`
	Finding string       `json:"finding" doc:"The finding of that check; empty if there is none."`
	Frozen  string       `json:"frozen" doc:"Why payments are frozen; empty if they are not."`
	Anchor  string       `json:"anchor" doc:"Why the head is not anchored outside the database; empty if it is."`
}

type mailHealth struct {
	Server  bool         `json:"server" doc:"Whether a mail server is configured."`
	Waiting int          `json:"waiting"`
	Oldest  httpx.Moment `json:"oldest" doc:"The time when the oldest waiting mail was queued."`
	Failed  int          `json:"failed" doc:"The number of mails that failed for good."`
	Forged  int          `json:"forged" doc:"The number of mails that are not sent because their row was altered."`
}

type chainHealth struct {
	Configured bool         `json:"configured"`
	Looked     httpx.Moment `json:"looked" doc:"The end of the watcher's last round."`
	Error      string       `json:"error" doc:"The error of that round; empty if it succeeded."`
	Nodes      int          `json:"nodes"`
	Down       int          `json:"down" doc:"The number of nodes that did not answer the last request."`
	Held       string       `json:"payouts_held" doc:"Why payouts are held until operators adopt the state; empty if they are not held."`
}

type diskHealth struct {
	Free     int64 `json:"free" doc:"Free bytes on the disk of the data folder and the SQLite database; -1 if unknown."`
	Low      bool  `json:"low" doc:"Whether free space is low."`
	LowBelow int64 `json:"low_below" doc:"The threshold of low, in bytes."`
	Database int64 `json:"database" doc:"The size of the database in bytes."`
}

func (c *Calls) health(ctx context.Context, _ *struct{}) (*httpx.Reply[healthAnswer], error) {
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
	return httpx.Answer(healthAnswer{
		Leading: h.Leading,
		Close:   closeHealth{day(h.Closed), httpx.At(h.ClosedAt), day(h.NextDay), h.NextOver},
		Ledger:  ledgerHealth{httpx.At(h.CheckedAt), h.Finding, h.Frozen, h.Anchor},
		Mail:    mailHealth{h.MailServer, h.MailWaiting, httpx.At(h.MailOldest), h.MailFailed, h.MailForged},
		Chain:   chainHealth{h.Chain, httpx.At(h.LookedAt), h.LookError, h.Nodes, h.Down, h.Held},
		Disk:    diskHealth{h.Free, h.Free >= 0 && h.Free < h.LowBelow, h.LowBelow, h.Database},
		Reach:   h.Reach,
	}), nil
}

package operator

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerHealth(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/health", "Retrieve the health of closes, the ledger check, mail, chain and disk", c.health)
}

// Healther reports the health of the process and its dependencies.
type Healther interface {
	Health(ctx context.Context) (Health, error)
}

// Health is the health of the process and its dependencies.
type Health struct {
	Leading bool // this process is the leader, which runs the jobs

	Closed   plan.Day // the last closed day
	ClosedAt time.Time
	NextDay  plan.Day
	NextOver bool // that day is due

	CheckedAt time.Time // the last reconciliation
	Finding   string    // its finding
	Frozen    string    // why payments are frozen
	Anchor    string    // why the head is not anchored outside the database

	MailServer  bool
	MailWaiting int
	MailOldest  time.Time
	MailFailed  int
	MailForged  int // waiting mails with an altered row

	Chain       bool // whether one is configured
	LookedAt    time.Time
	LookError   errs.Text
	Nodes, Down int
	Held        errs.Text // why payouts are held; no text if they are not

	Reach Reach

	Free     int64 // bytes on the fuller of the disks of the data folder and the database
	LowBelow int64
	Database int64 // bytes
}

// Reach lists problems with how the server is reached; "" if there is none.
type Reach struct {
	Proxy  string          `json:"proxy" doc:"The address of an untrusted proxy that forwards requests: all clients behind it count as one caller. Empty if there is none."`
	Seen   httpx.Timestamp `json:"proxy_seen" doc:"The time of the last request through that proxy."`
	URL    string          `json:"url" doc:"The public URL, if it is plain http and not local; else empty."`
	Listen string          `json:"listen" doc:"The listen address, if it is not local and no trusted proxy has yet forwarded an https request; else empty."`
}

// PassedOn sets the untrusted proxy that forwards requests, and its last request.
func (r *Reach) PassedOn(by httpx.ProxyStatus) {
	if by.Proxy.IsValid() {
		r.Proxy, r.Seen = by.Proxy.String(), httpx.ToTimestamp(by.Seen)
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
	Day      string          `json:"day" doc:"The last closed day; empty before the first."`
	At       httpx.Timestamp `json:"at"`
	Next     string          `json:"next" doc:"The next day to close; empty before the first event."`
	NextOver bool            `json:"next_over" doc:"Whether that day is due."`
}

type ledgerHealth struct {
	Checked httpx.Timestamp `json:"checked" doc:"The time of the last reconciliation."`
	Finding string          `json:"finding" doc:"The finding of that check; empty if there is none."`
	Frozen  string          `json:"frozen" doc:"Why payments are frozen; empty if they are not."`
	Anchor  string          `json:"anchor" doc:"Why the head is not anchored outside the database; empty if it is."`
}

type mailHealth struct {
	Server  bool            `json:"server" doc:"Whether a mail server is configured."`
	Waiting int             `json:"waiting"`
	Oldest  httpx.Timestamp `json:"oldest" doc:"The time when the oldest waiting mail was queued."`
	Failed  int             `json:"failed" doc:"The number of mails that failed for good."`
	Forged  int             `json:"forged" doc:"The number of mails that are not sent because their row was altered."`
}

type chainHealth struct {
	Configured bool            `json:"configured"`
	Looked     httpx.Timestamp `json:"looked" doc:"The end of the watcher's last round."`
	Error      string          `json:"error" doc:"The error of that round; empty if it succeeded."`
	Failure    *errs.Text      `json:"error_text,omitempty" doc:"The error with its code."`
	Nodes      int             `json:"nodes"`
	Down       int             `json:"down" doc:"The number of nodes that did not answer the last request."`
	Held       string          `json:"payouts_held" doc:"Why payouts are held until operators adopt the state; empty if they are not held."`
	HeldFor    *errs.Text      `json:"payouts_held_text,omitempty" doc:"The reason with its code."`
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
	return httpx.NewReply(healthAnswer{
		Leading: h.Leading,
		Close:   closeHealth{day(h.Closed), httpx.ToTimestamp(h.ClosedAt), day(h.NextDay), h.NextOver},
		Ledger:  ledgerHealth{httpx.ToTimestamp(h.CheckedAt), h.Finding, h.Frozen, h.Anchor},
		Mail:    mailHealth{h.MailServer, h.MailWaiting, httpx.ToTimestamp(h.MailOldest), h.MailFailed, h.MailForged},
		Chain:   chainHealth{h.Chain, httpx.ToTimestamp(h.LookedAt), h.LookError.Message, httpx.Coded(h.LookError), h.Nodes, h.Down, h.Held.Message, httpx.Coded(h.Held)},
		Disk:    diskHealth{h.Free, h.Free >= 0 && h.Free < h.LowBelow, h.LowBelow, h.Database},
		Reach:   h.Reach,
	}), nil
}

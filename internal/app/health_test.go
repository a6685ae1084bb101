package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

type healthSeen struct {
	Data struct {
		Leading bool
		Close   struct {
			Day, At, Next string
			NextOver      bool `json:"next_over"`
		}
		Ledger struct{ Checked, Finding, Frozen string }
		Mail   struct {
			Server          bool
			Waiting, Failed int
			Oldest          string
		}
		Chain struct {
			Configured    bool
			Looked, Error string
		}
		Disk struct {
			Free, Database int64
			LowBelow       int64 `json:"low_below"`
			Low            bool
		}
	}
}

func TestOperatorsSeeWhetherAllIsWell(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		o := s.operator()
		var h healthSeen
		o.get("operator/health").into(&h)
		d := h.Data
		if !d.Leading || d.Ledger.Checked == "" || d.Ledger.Finding != "" || d.Ledger.Frozen != "" || d.Chain.Configured || !d.Mail.Server || d.Mail.Failed != 0 {
			t.Errorf("a new installation: %+v", d)
		}
		if d.Disk.Free <= 0 || d.Disk.Database <= 0 || d.Disk.Low != (d.Disk.Free < d.Disk.LowBelow) || d.Close.Day != "" {
			t.Errorf("disk and close: %+v", d)
		}
		raw := testkit.Raw(t, dsn)
		queued := testkit.Epoch.Add(-time.Hour)
		for i, state := range []string{"failed", "failed", "waiting"} {
			if _, err := raw.Exec("INSERT INTO outbox (id, recipient, subject, text, html, created_at, due_at, tries, state, error, sent_at) VALUES ($1, 'a@b.example', 's', '', '', $2, $3, 1, $4, '', 0)",
				1_000_000+i, queued.UnixMicro(), testkit.Epoch.Add(1000*time.Hour).UnixMicro(), state); err != nil {
				t.Fatal(err)
			}
		}
		s.deposit(s.root.UID, fund.Robot, "5")
		if _, err := raw.Exec("UPDATE account SET posted = posted + 1 WHERE id = (SELECT MIN(id) FROM account)"); err != nil {
			t.Fatal(err)
		}
		if err := s.reconcile.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		h = healthSeen{}
		o.get("operator/health").into(&h)
		if d = h.Data; d.Mail.Failed != 2 || d.Mail.Waiting < 1 || !strings.HasPrefix(d.Mail.Oldest, "2026-11-15T02:00:00") {
			t.Errorf("mail: %+v", d.Mail)
		}
		if d.Ledger.Finding == "" || d.Ledger.Frozen == "" {
			t.Errorf("a wrong row: %+v", d.Ledger)
		}
		if a := s.login(s.root.UID, rootPassword).get("operator/health"); a.status != http.StatusForbidden && a.status != http.StatusUnauthorized {
			t.Errorf("a member is answered %d", a.status)
		}
	})
}

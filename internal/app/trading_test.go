package app

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// sendFile uploads evidence for a booking.
func (c client) sendFile(name, body string, header ...string) answer {
	c.s.t.Helper()
	return c.send("POST", "/api/operator/evidence?name="+name, body, append([]string{"Content-Type", "application/octet-stream"}, header...)...)
}

func TestBookingKeepsItsEvidenceFile(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		s.invest(s.root.UID, "500")
		maker, checker, reader, helper := s.hire(auth.RoleFinance), s.operator(), s.hire(auth.RoleReadOnly), s.hire(auth.RoleSupport)
		page := "<script>alert(1)</script>"
		sum := sha256.Sum256([]byte(page))
		hash := hex.EncodeToString(sum[:])
		reader.sendFile("a.html", page).refused(403)
		maker.sendFile("", page).names("name")
		maker.sendFile("empty.csv", "").refused(400)
		maker.sendFile("large.csv", strings.Repeat("x", 10<<20+1)).refused(413)
		var kept struct{ Data struct{ Hash, Name string } }
		maker.sendFile("..%2F..%2Fbroker%22%0d%0a.html", page, "Idempotency-Key", "k1").into(&kept)
		if kept.Data.Hash != hash || kept.Data.Name != "broker.html" {
			t.Fatalf("%+v", kept)
		}
		maker.sendFile("..%2F..%2Fbroker%22%0d%0a.html", page, "Idempotency-Key", "k1").into(&m{}) // the same
		checker.sendFile("another.html", page).into(&m{})                                          // the same file

		book := m{"line": "FOREX", "amount": "100", "reference": "broker's statement", "evidence": strings.Repeat("0", 64)}
		maker.post("operator/pnl", book).names("evidence")
		book["evidence"] = hash
		booked := checker.approved(maker.propose("pnl", book))
		var open struct {
			Data struct {
				Bookings []struct{ ID, Kind, Amount, Evidence, Reference string }
				Held     []m
			}
		}
		reader.get("operator/bookings").into(&open)
		if b := open.Data.Bookings; len(b) != 1 || b[0].ID != booked || b[0].Evidence != hash || b[0].Amount != "100.000000" || len(open.Data.Held) != 0 {
			t.Fatalf("%+v", open)
		}
		a := checker.get("operator/evidence/file?hash=" + hash)
		if a.status != 200 || a.text != page || a.header.Get("Content-Type") != "application/octet-stream" || a.header.Get("X-Content-Type-Options") != "nosniff" ||
			a.header.Get("Content-Disposition") != "attachment; filename=broker.html" {
			t.Errorf("%d %v %s", a.status, a.header, a.text)
		}
		helper.get("operator/evidence/file?hash=" + hash).refused(403)
		checker.get("operator/evidence/file?hash=" + strings.Repeat("0", 64)).refused(404)
		var trail auditPage
		checker.get("operator/audit?act=pnl").into(&trail)
		if len(trail.Data[0]) != 1 || trail.Data[0][0].Became["evidence"] != hash {
			t.Errorf("the record says %+v", trail.Data)
		}
		checker.approved(maker.propose("booking/cancel", m{"booking": booked, "reason": "the wrong line"}))
		if reader.get("operator/bookings").into(&open); len(open.Data.Bookings) != 0 {
			t.Errorf("%+v", open)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
	})
}

func TestOperatorsSeeWhyPaymentsAreFrozen(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	o := s.hire(auth.RoleReadOnly)
	frozen := func() string {
		var me struct{ Data struct{ Frozen string } }
		o.get("operator/me").into(&me)
		return me.Data.Frozen
	}
	if got := frozen(); got != "" {
		t.Errorf("payments are frozen: %s", got)
	}
	if err := s.ledger.Freeze(t.Context(), "a wrong row on 2026-11-15: entry 7"); err != nil {
		t.Fatal(err)
	}
	if got := frozen(); got != "a wrong row on 2026-11-15: entry 7" {
		t.Errorf("operators read %q", got)
	}
}

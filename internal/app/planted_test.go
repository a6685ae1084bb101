package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// byHand changes the database outside the program, like an attacker with write access.
func (s *site) byHand(statements ...string) {
	s.t.Helper()
	raw := testkit.Raw(s.t, s.cfg.DB)
	defer func() { _ = raw.Close() }()
	for _, text := range statements {
		if _, err := raw.Exec(text); err != nil {
			s.t.Fatalf("%s: %v", text, err)
		}
	}
}

func TestPlantedSettingIsIgnoredAndFreezesPayments(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		before := s.services.Settings.Current().USDT
		at := s.clock.Now().Add(-time.Hour).UnixMicro()
		s.byHand(fmt.Sprintf(`INSERT INTO setting_proposal (id, revision, section, reason, proposed_by, proposed_name, proposed_at, state, decided_by, decided_name, decided_at, holds_from, ended_by, ended_name, ended_at, alone, was, body)
			VALUES (1, 1, 'usdt', 'planted by hand', 1, 'one@example.org', %d, 'approved', 2, 'two@example.org', %d, %d, 0, '', 0, '', '{}', '{"usdt":"%s"}')`, at, at, at, newAddress))
		// The settings are read once a second.
		testkit.WaitUntil(t, "payments are frozen", func() bool { return s.ledger.State().Head.Frozen != "" })
		if now := s.services.Settings.Current().USDT; now != before {
			t.Errorf("members pay to %s", now)
		}
		if frozen := s.ledger.State().Head.Frozen; !strings.Contains(frozen, "Setting proposal 1") {
			t.Errorf("payments are frozen: %q", frozen)
		}
		if err := s.services.Settings.Look(t.Context()); err != nil {
			t.Errorf("the same row is reported again: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := notOpened(New(t.Context(), s.cfg, testkit.Log())); err == nil || !strings.Contains(err.Error(), "Setting proposal 1 was changed outside Bifolia") {
			t.Errorf("a start with it: %v", err)
		}
	})
}

func TestPlantedTriggerFreezesPayments(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		const thief = "0x2222222222222222222222222222222222222222"
		trigger, drop := "CREATE TRIGGER evil AFTER UPDATE ON member WHEN new.wallet <> '"+thief+"' BEGIN UPDATE member SET wallet = '"+thief+"' WHERE uid = new.uid; END", "DROP TRIGGER evil"
		if s.db.Engine() != "sqlite" {
			s.byHand("CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.wallet := '" + thief + "'; RETURN new; END $$")
			trigger, drop = "CREATE TRIGGER evil BEFORE UPDATE ON member FOR EACH ROW EXECUTE FUNCTION evil()", "DROP TRIGGER evil ON member"
		}
		s.byHand(trigger)
		me.post("UpdateProfile", profileForm(me.uid, pin)).refused(409)
		if frozen := s.ledger.State().Head.Frozen; !strings.Contains(frozen, "trigger evil of table member") {
			t.Errorf("payments are frozen: %q", frozen)
		}
		var found *audit.Finding
		if _, err := Verify(t.Context(), s.cfg, false, nil); !errors.As(err, &found) || found.Row != "trigger evil of table member" {
			t.Errorf("verify: %v", err)
		}
		s.byHand(drop)
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("without the trigger: %v", err)
		}
	})
}

func TestVerifyFindsADeletedLastAuditEntry(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		o := s.operator()
		o.post("operator/block", m{"uid": s.root.UID, "reason": "papers are missing"}).into(&m{})
		if s.db.Engine() == "sqlite" {
			s.byHand("DROP TRIGGER trail_no_delete")
		}
		s.byHand("DELETE FROM trail WHERE no = (SELECT MAX(no) FROM trail)")
		o.post("operator/unblock", m{"uid": s.root.UID, "reason": "papers have come"}).into(&m{})
		if err := s.Close(); err != nil { // it seals
			t.Fatal(err)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "written once") {
			t.Errorf("verify: %v", err)
		}
	})
}

func TestAnswerToAChangedTicketIsRefused(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		anna := s.login(s.register(s.root.UID, tree.Left, "Anna Alpha"), password)
		ticket, o := anna.complain("Where is it?", ""), s.operator()
		s.byHand("UPDATE support_ticket SET query = 'I need nothing.' WHERE id = " + ticket)
		o.post("operator/tickets/answer", m{"id": ticket, "seen": 0, "reply": "Then all is well."}).refused(409)
		if frozen := s.ledger.State().Head.Frozen; !strings.Contains(frozen, "Support ticket "+ticket) {
			t.Errorf("payments are frozen: %q", frozen)
		}
	})
}

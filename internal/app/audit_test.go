package app

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// auditPage is the response of /api/operator/audit.
type auditPage struct {
	Data [][]struct {
		No                   int64
		At, Operator, Name   string
		Act, Member, Subject string
		Was, Became          m
		Reason               string
		Hash                 string
	}
	Next int64
}

// acts are the entries of a page in short.
func (p auditPage) acts() (out []string) {
	for _, e := range p.Data[0] {
		out = append(out, e.Act)
	}
	return out
}

func TestAuditLogHasBeforeAndAfterOfOperatorActs(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		owner := s.operator()
		s.visit(owner, uid)
		owner.post("operator/block", m{"uid": uid, "reason": "=papers are missing"}).into(&m{})
		owner.post("operator/unblock", m{"uid": uid, "reason": "papers came"}).into(&m{})
		owner.approve(owner.propose("pnl", m{"line": "FOREX", "amount": "12.5", "reference": "statement 7"})).into(&m{})
		digest := owner.digest("2026-11-15")
		owner.post("operator/close/commit", m{"day": "2026-11-15", "digest": digest}).into(&m{})

		var all auditPage
		owner.get("operator/audit").into(&all)
		if got, want := fmt.Sprint(all.acts()), "[close committed pnl pnl proposed unblock block visit visit ticket sign in]"; got != want {
			t.Fatalf("the record says %s, want %s", got, want)
		}
		rows := all.Data[0]
		if c := rows[0]; c.Subject != "2026-11-15" || c.Became["digest"] != digest || c.Name != operatorEmail || c.Operator != "1" {
			t.Errorf("the close is %+v", c)
		}
		if p := rows[1]; p.Subject != "FOREX" || p.Became["amount"] != "12.500000" || p.Became["alone"] != "demo" || p.Reason != "statement 7" {
			t.Errorf("the result is %+v", p)
		}
		if b := rows[4]; b.Member != id(uid) || b.Was["blocked"] != false || b.Became["blocked"] != true || b.Became["why"] != "=papers are missing" {
			t.Errorf("the block is %+v", b)
		}
		if b := rows[3]; b.Was["blocked"] != true || b.Became["blocked"] != false || b.Reason != "papers came" {
			t.Errorf("the end of the block is %+v", b)
		}

		var page auditPage
		owner.get("operator/audit?size=2&member=" + id(uid)).into(&page)
		if fmt.Sprint(page.acts()) != "[unblock block]" || page.Next == 0 {
			t.Errorf("the first page is %+v", page)
		}
		owner.get(fmt.Sprintf("operator/audit?size=2&member=%d&before=%d", uid, page.Next)).into(&page)
		if fmt.Sprint(page.acts()) != "[visit visit ticket]" || page.Next != 0 {
			t.Errorf("the last page is %+v", page)
		}
		owner.get("operator/audit?act=block&operator=1&from=2026-11-15&to=2026-11-15").into(&page)
		if fmt.Sprint(page.acts()) != "[block]" {
			t.Errorf("by filter: %+v", page)
		}
		if owner.get("operator/audit?to=2026-11-14").into(&page); len(page.Data[0]) != 0 {
			t.Errorf("of the day before: %+v", page)
		}
		owner.get("operator/audit?member=x&from=yesterday").names("member", "from")
		owner.get("operator/audit?from=2026-02-30").says(400, "There is no day 2026-02-30 in the calendar.")

		file := owner.get("operator/audit/export?member=" + id(uid))
		table, err := csv.NewReader(strings.NewReader(file.text)).ReadAll()
		if err != nil || len(table) != 5 || table[2][9] != "'=papers are missing" || !strings.HasPrefix(file.header.Get("Content-Type"), "text/csv") {
			t.Errorf("exported %v, %v, %v", table, err, file.header)
		}
		for _, role := range auth.Roles() {
			if a := s.hire(role).get("operator/audit"); (a.status == 200) != (role != auth.RoleFinance && role != auth.RoleSupport) {
				t.Errorf("%s: %d", role, a.status)
			}
		}
	})
}

func TestMembersSeeOperatorActsAboutThem(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid, other := s.register(s.root.UID, tree.Left, "Anna Alpha"), s.register(s.root.UID, tree.Right, "Ben Beta")
	me, operator := s.login(uid, password), s.operator()
	s.visit(operator, uid)
	operator.post("operator/block", m{"uid": other, "reason": "papers are missing"}).into(&m{})
	var mine struct {
		Data [][]struct{ Act, By, Reason string }
		Next int64
	}
	me.get("audit?uid=" + id(uid)).into(&mine)
	if got := fmt.Sprint(mine.Data); got != "[[{visit operator 1 the member asked for help} {visit ticket operator 1 the member asked for help}]]" {
		t.Errorf("the member sees %s", got)
	}
	me.get("audit?uid=" + id(other)).refused(403)
	me.get("audit").names("uid")
}

func TestVerifyFindsARewrittenAuditLog(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		s.operator().post("operator/block", m{"uid": s.root.UID, "reason": "papers are missing"}).into(&m{})
		if err := s.Close(); err != nil { // it seals
			t.Fatal(err)
		}
		v, err := Verify(t.Context(), s.cfg, false, nil)
		if err != nil || v.AuditLog.Entries != 2 || v.AuditLog.Sealed != 2 {
			t.Fatalf("%+v, %v", v.AuditLog, err)
		}
		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		for _, text := range []string{"DROP TRIGGER trail_no_delete", "DELETE FROM trail WHERE no = 2"} {
			if _, err := raw.Exec(text); err != nil && !strings.HasPrefix(text, "DROP") {
				t.Fatal(err)
			}
		}
		var found *auditlog.Finding
		if _, err := Verify(t.Context(), s.cfg, false, nil); !errors.As(err, &found) || found.No != 2 {
			t.Errorf("found %v", err)
		}
	})
}

func TestAuditLogHasLockouts(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	for range 5 {
		if _, result, _ := s.enter(operatorEmail, operatorPassword, "000000"); result != auth.ErrWrongOperator.Error() {
			t.Fatal(result)
		}
	}
	s.clock.Advance(16 * time.Minute)
	var page auditPage
	s.operator().get("operator/audit").into(&page)
	if fmt.Sprint(page.acts()) != "[sign in codes locked]" {
		t.Errorf("%+v", page)
	}
}

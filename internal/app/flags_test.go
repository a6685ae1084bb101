package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestFlagsKeepTheirHistory(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		helper, reader, officer := s.hire(auth.RoleSupport), s.hire(auth.RoleReadOnly), s.hire(auth.RoleCompliance)
		raise := m{"uid": uid, "flag": "watch", "raise": true, "reason": "many small deposits"}
		reader.post("operator/member/flag", raise).refused(403)
		helper.post("operator/member/flag", m{"uid": uid, "flag": "legal hold", "raise": true, "reason": "x"}).names("flag", "reason")
		helper.post("operator/member/flag", m{"uid": 100000, "flag": "watch", "raise": true, "reason": "who is that"}).refused(404)
		helper.post("operator/member/flag", m{"uid": uid, "flag": "watch", "raise": false, "reason": "it never stood"}).refused(409)
		helper.post("operator/member/flag", raise, "Idempotency-Key", "k1").into(&m{})
		helper.post("operator/member/flag", raise, "Idempotency-Key", "k1").into(&m{}) // the same
		helper.post("operator/member/flag", raise, "Idempotency-Key", "k2").refused(409)
		helper.post("operator/member/legalHold", m{"uid": uid, "hold": true, "reason": "a court asked"}).refused(403)
		officer.post("operator/member/legalHold", m{"uid": uid, "hold": true, "reason": "a court asked"}).into(&m{})
		if got := marks(reader, uid); got != "watch, legal hold" {
			t.Errorf("raised are %q", got)
		}
		officer.post("operator/member/flag", m{"uid": uid, "flag": "watch", "raise": false, "reason": "looked into"}).into(&m{})
		officer.post("operator/member/legalHold", m{"uid": uid, "hold": false, "reason": "the court is done"}).into(&m{})
		if got := marks(reader, uid); got != "" {
			t.Errorf("raised are %q", got)
		}
		var page struct {
			Data [][]struct {
				Flag, Name, Reason, At string
				Raised                 bool
			}
			Next int64
		}
		reader.get("operator/member/flags?size=3&uid=" + id(uid)).into(&page)
		if f := page.Data[0]; len(f) != 3 || f[0].Flag != "legal hold" || f[0].Raised || f[2].Reason != "a court asked" || f[0].Name == "" || f[0].At == "" || page.Next != 2 {
			t.Errorf("%+v", page)
		}
		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		if s.db.Engine() == "sqlite" { // on PostgreSQL the server's role has no right to do this
			if _, err := raw.Exec("UPDATE member_flag SET reason = 'another' WHERE id = 1"); err == nil {
				t.Error("a flag's row can be changed")
			}
		}
		var trail auditPage
		s.operator().get("operator/audit?member=" + id(uid)).into(&trail)
		if got := fmt.Sprint(trail.acts()); got != "[legal hold lifted flag lowered legal hold flag]" {
			t.Errorf("the record says %s", got)
		}
	})
}

// marks are a member's raised flags.
func marks(o client, uid int64) string {
	o.s.t.Helper()
	var got struct {
		Data struct{ Marks []struct{ Flag string } }
	}
	o.get("operator/member?uid=" + id(uid)).into(&got)
	var out []string
	for _, f := range got.Data.Marks {
		out = append(out, f.Flag)
	}
	return strings.Join(out, ", ")
}

func TestSharedContactDetailsAreHinted(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--bank-details", "true")
		with := func(name, email, mobile string) int64 {
			f := form(s.root.UID, tree.Left, name)
			f["email"], f["mobile"] = email, mobile
			return s.registered(s.visitor().post("registration", f))
		}
		anna := with("Anna Alpha", "anna.alpha@gmail.com", "9876500001")
		twin := with("Anna Twin", "annaalpha+second@googlemail.com", "9876500001")
		mail := with("Anna Mail", "Anna.Alpha+x@gmail.com", "9876500002")
		bank := with("Ben Bank", "ben@mail.example", "9876500003")
		nobody := with("Carl Clear", "carl@mail.example", "9876500004")
		for uid, email := range map[int64]string{anna: "anna.alpha@gmail.com", bank: "ben@mail.example"} {
			s.login(uid, password).post("UpdateProfile", bankForm(uid, s.pin(email))).into(&m{})
		}
		here := s.visitor()
		for _, uid := range []int64{anna, nobody} {
			if _, result := here.login(uid, password); result != "Successfull" {
				t.Fatal(result)
			}
		}
		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		// A wallet belongs to one member: two members can share it only by a change outside
		// the program.
		if _, err := raw.Exec("DROP INDEX member_wallet"); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec("UPDATE member SET wallet = '0xAb' WHERE uid IN ($1, $2)", anna, bank); err != nil {
			t.Fatal(err)
		}
		o := s.hire(auth.RoleReadOnly)
		var got struct {
			Data [][]struct {
				UID  string
				Ways []string
			}
		}
		o.get("operator/member/duplicates?uid=" + id(anna)).into(&got)
		found := map[string]string{}
		for _, a := range got.Data[0] {
			found[a.UID] = strings.Join(a.Ways, " ")
		}
		want := map[string]string{id(twin): "mobile e-mail", id(mail): "e-mail", id(bank): "wallet bank", id(nobody): "address"}
		if fmt.Sprint(found) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", found, want)
		}
		if first := got.Data[0][0]; len(first.Ways) != 2 {
			t.Errorf("the most alike is not first: %+v", got.Data[0])
		}
		o.get("operator/member/duplicates?uid=100000").refused(404)
		o.get("operator/member/duplicates").names("uid")
	})
}

func TestAMemberIsSignedOutRemotelyAndSeesWhy(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	phone, laptop, helper := s.login(uid, password), s.login(uid, password), s.hire(auth.RoleSupport)
	visit := s.visit(helper, uid)
	var mine struct {
		Data [][]struct {
			ID      string
			Current bool
		}
	}
	phone.get("sessions").into(&mine)
	one := mine.Data[0][slices.IndexFunc(mine.Data[0], func(r struct {
		ID      string
		Current bool
	},
	) bool {
		return r.Current
	})].ID
	end := func(o client, body m) answer { return o.post("operator/member/sessions/end", body) }
	end(s.hire(auth.RoleFinance), m{"uid": uid, "reason": "a stolen phone"}).refused(403)
	end(helper, m{"uid": uid, "id": one, "reason": "x"}).names("reason")
	end(helper, m{"uid": s.root.UID, "id": one, "reason": "somebody else's"}).refused(404)
	end(helper, m{"uid": uid, "id": one, "reason": "a stolen phone"}).into(&m{})
	end(helper, m{"uid": uid, "id": one, "reason": "a stolen phone"}).refused(404)
	phone.get("sessions").unauthenticated()
	laptop.get("sessions").into(&m{})
	end(helper, m{"uid": uid, "reason": "all of it was stolen"}).into(&m{})
	laptop.get("sessions").unauthenticated()
	visit.get("sessions").unauthenticated()
	if rows := s.login(uid, password).get("audit?uid=" + id(uid)).rows(); !strings.Contains(fmt.Sprint(rows[0]), "all of it was stolen") {
		t.Errorf("the member sees %v", rows)
	}
}

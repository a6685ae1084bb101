package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestAMemberSeesAndEndsOwnSessions(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		var phone, lost, desk client
		for _, c := range []*client{&phone, &lost, &desk} {
			*c, _ = s.visitor().login(uid, password)
		}
		root := s.login(s.root.UID, rootPassword)
		type row struct {
			ID, Kind, Address, Agent, Created, Seen string
			Current                                 bool
		}
		var list struct{ Data [][]row }
		desk.get("sessions").into(&list)
		if len(list.Data) != 1 || len(list.Data[0]) != 3 {
			t.Fatalf("the sessions are %+v", list)
		}
		var target row
		for _, r := range list.Data[0] {
			if r.Current != strings.HasPrefix(desk.peer, r.Address+":") || r.Kind != "member" || r.Created != wireTime(testkit.Epoch) {
				t.Errorf("a session is %+v", r)
			}
			if strings.HasPrefix(lost.peer, r.Address+":") {
				target = r
			}
		}
		root.post("sessions/end", m{"id": target.ID}).refused(http.StatusNotFound)
		lost.post("userDashboard", m{"uid": uid}).into(&m{})
		desk.post("sessions/end", m{"id": target.ID}).into(&m{})
		lost.post("userDashboard", m{"uid": uid}).unauthenticated()
		desk.post("sessions/end", m{"id": target.ID}).refused(http.StatusNotFound)
		desk.post("sessions/end", m{"id": "nonsense"}).refused(http.StatusNotFound)
		phone.post("userDashboard", m{"uid": uid}).into(&m{})
		desk.post("sessions/endOthers", nil).into(&m{})
		phone.post("userDashboard", m{"uid": uid}).unauthenticated()
		desk.post("userDashboard", m{"uid": uid}).into(&m{})
		root.post("userDashboard", m{"uid": s.root.UID}).into(&m{})
		desk.post("logout", nil).into(&m{})
		desk.post("userDashboard", m{"uid": uid}).unauthenticated()
	})
}

func TestTokenIsRenewedAndIdleSessionEnds(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	c := s.login(s.root.UID, rootPassword)
	if a := c.post("userDashboard", m{"uid": s.root.UID}); a.header.Get("X-Renewed-Token") != "" {
		t.Error("a fresh token was renewed")
	}
	for range 3 {
		s.clock.Advance(25 * time.Minute)
		c.token = c.post("userDashboard", m{"uid": s.root.UID}).into(&m{}).header.Get("X-Renewed-Token")
		if c.token == "" {
			t.Fatal("a token of 25 minutes was not renewed")
		}
	}
	s.clock.Advance(61 * time.Minute)
	c.post("userDashboard", m{"uid": s.root.UID}).unauthenticated()
}

func TestTemporaryPasswordMustBeChanged(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		const email = "anna.alpha@mail.example"
		open := s.login(uid, password)
		known, unknown := s.visitor().post("ForgetPassword", m{"uid": uid, "otp": ""}), s.visitor().post("ForgetPassword", m{"uid": "100000"})
		if known.text != unknown.text || known.status != unknown.status || known.data() != "Password sent to Email Id" {
			t.Errorf("a known id is answered %s, an unknown one %s", known.text, unknown.text)
		}
		if mails := s.letters(email); len(mails) != 2 {
			t.Errorf("she has %d mails", len(mails))
		}
		if n := s.counts("outbox"); n != "outbox 2, " {
			t.Errorf("mail went elsewhere too: %s", n)
		}
		s.login(uid, password) // the old one works until the temporary one is used, and ends it
		if _, result := s.visitor().login(uid, after(s.letters(email)[0].Text, "Temporary password:")); result != "Invalid username or password." {
			t.Errorf("the temporary password, after the old one was used: %q", result)
		}
		c := s.temporary(uid, email)
		if _, result := s.visitor().login(uid, password); result != "Invalid username or password." {
			t.Errorf("the old password, after the temporary one was used: %q", result)
		}
		word := after(s.letters(email)[0].Text, "Temporary password:")
		if _, result := s.visitor().login(uid, word); result != "Invalid username or password." {
			t.Errorf("the temporary password again: %q", result)
		}
		c.post("UserInformation", m{"uid": uid}).refused(http.StatusForbidden)
		change := m{"uid": uid, "type": "password", "cpassword": word, "password": "brand-new-one"}
		if result := c.post("UpdateProfile", change).result(); result != "Changes Password Update Successfully" {
			t.Errorf("the change: %q", result)
		}
		c.post("UserInformation", m{"uid": uid}).into(&m{})
		open.post("UserInformation", m{"uid": uid}).unauthenticated()
		s.login(uid, "brand-new-one")
		if mails := s.letters(email); !strings.Contains(mails[0].Subject, "password was changed") {
			t.Errorf("the last mail is %+v", mails[0])
		}
	})
}

func TestPasswordResetLinkWorksOnce(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	const email = "anna.alpha@mail.example"
	open := s.login(uid, password)
	link := func() url.Values {
		t.Helper()
		s.visitor().post("ForgetPassword", m{"uid": uid}).into(&m{})
		text := s.letters(email)[0].Text
		u, err := url.Parse("http" + after(text, "Choose a new password:\nhttp"))
		if err != nil || u.Path != "/ForgotPassword" || u.RawQuery != "" {
			t.Fatalf("the link is %v in\n%s", u, text)
		}
		carried, err := url.ParseQuery(u.EscapedFragment()) // which no server sees
		if err != nil || carried.Get("userid") != id(uid) {
			t.Fatalf("the link is %v in\n%s", u, text)
		}
		return carried
	}
	reset := func(uid any, token, password string) answer {
		t.Helper()
		return s.visitor().post("ResetPassword", m{"uid": uid, "token": token, "password": password})
	}
	q := link()
	reset(uid, q.Get("reset"), "short").names("password")
	reset(uid, "AAAA"+q.Get("reset")[4:], "brand-new-one").refused(http.StatusUnprocessableEntity)
	reset(s.root.UID, q.Get("reset"), "brand-new-one").refused(http.StatusUnprocessableEntity)
	reset(100000, q.Get("reset"), "brand-new-one").refused(http.StatusUnprocessableEntity)
	open.post("UserInformation", m{"uid": uid}).into(&m{})
	if text := reset(q.Get("userid"), q.Get("reset"), "brand-new-one").data(); text != "Successfull" {
		t.Errorf("the reset answered %v", text)
	}
	open.post("UserInformation", m{"uid": uid}).unauthenticated()
	if _, result := s.visitor().login(uid, password); result == "Successfull" {
		t.Error("the old password still works")
	}
	s.login(uid, "brand-new-one")
	reset(uid, q.Get("reset"), "brand-new-two").refused(http.StatusUnprocessableEntity)
	if mails := s.letters(email); !strings.Contains(mails[0].Subject, "password was changed") {
		t.Errorf("the last mail is %+v", mails[0])
	}
	late := link()
	s.clock.Advance(30 * time.Minute)
	reset(uid, late.Get("reset"), "brand-new-two").refused(http.StatusUnprocessableEntity)
}

func TestImpersonationTicketIsUsedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		operator := s.operator()
		mint := func() url.Values {
			t.Helper()
			var got struct{ Data struct{ Enpass, Link string } }
			operator.post("operator/ticket", m{"uid": uid, "reason": "the member asked"}).into(&got)
			path, fragment, _ := strings.Cut(got.Data.Link, "#")
			link, err := url.ParseQuery(fragment)
			if err != nil || path != "/AdminLogin" || link.Get("enpass") != got.Data.Enpass {
				t.Fatalf("minting answered %+v", got)
			}
			return link
		}
		enter := func(uid any, enpass string) string {
			t.Helper()
			return s.visitor().post("loginAdmin", m{"uid": uid, "password": enpass, "ipaddress": "192.0.2.1"}).result()
		}
		const no = "This link is not valid any more. Mint a new ticket."
		q := mint()
		if got := enter(s.root.UID, q.Get("enpass")); got != no {
			t.Errorf("into another member's session: %q", got)
		}
		if got := enter(q.Get("user_id"), q.Get("enpass")); got != "Successfull" {
			t.Errorf("the ticket: %q", got)
		}
		if got := enter(uid, q.Get("enpass")); got != no {
			t.Errorf("the ticket again: %q", got)
		}
		q = mint()
		s.clock.Advance(2 * time.Minute)
		if got := enter(uid, q.Get("enpass")); got != no {
			t.Errorf("after two minutes: %q", got)
		}
		if got := enter(uid, password); got != no {
			t.Errorf("the member's password is no ticket: %q", got)
		}
		operator.post("operator/ticket", m{"uid": uid, "reason": "no"}).names("reason")
		operator.post("operator/ticket", m{"uid": 100000, "reason": "the member asked"}).refused(http.StatusNotFound)
		operator.post("operator/ticket", m{"uid": "12a", "reason": "the member asked"}).names("uid")
		operator.post("operator/logout", nil).into(&m{})
		operator.post("operator/ticket", m{"uid": uid, "reason": "the member asked"}).unauthenticated()
		wrong := m{"email": operatorEmail, "password": "something-else"}
		if got := s.visitor().post("operator/login", wrong).result(); got != auth.ErrWrongOperator.Error() {
			t.Errorf("a wrong operator's password: %q", got)
		}
	})
}

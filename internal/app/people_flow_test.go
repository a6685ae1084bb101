package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/testkit"
	"github.com/bifolia/bifolia/internal/tree"
)

func TestTheFirstMemberRegistersOthersWhoCanSignIn(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		root := s.login(s.root.UID, rootPassword)
		if who := s.visitor().get("check_sponsorid?sid=" + id(s.root.UID)).data(); !reflect.DeepEqual(who, m{"result": "Root Member", "name": "Root Member"}) {
			t.Errorf("a visitor is told %v of the sponsor", who)
		}
		joined := s.visitor().post("registration", form(s.root.UID, tree.Right, "Anna Alpha"))
		uid := s.registered(joined)
		if mails := s.letters("anna.alpha@mail.example"); len(mails) != 1 || !strings.Contains(mails[0].Text, id(uid)) || strings.Contains(mails[0].Text, password) {
			t.Errorf("she was mailed %+v", mails)
		}
		me := s.login(uid, password)
		row := me.post("userDashboard", m{"uid": uid}).rows()[0].(m)
		if row["f_name"] != "Anna Alpha" || row["email"] != "anna.alpha@mail.example" {
			t.Errorf("her dashboard is %v", row)
		}
		if row := root.post("userDashboard", m{"uid": s.root.UID}).rows()[0].(m); row["TotalRightInactiveTeam"] != 1.0 {
			t.Errorf("the root's dashboard is %v", row)
		}
		want := m{
			"uid": id(uid), "f_name": "Anna Alpha", "l_name": "", "mobile": "9876543210", "email": "anna.alpha@mail.example", "dob": "", "address": "",
			"father": "", "gender": "", "aboutUser": "", "nomineename": "", "nominerelation": "", "countryid": 99.0, "accountaddress": "", "holder": "",
			"accountnumber": "", "ifsc": "", "bank_name": "", "branch": "", "PAN": "", "AAdhar": "", "position": "Right", "sid": id(s.root.UID),
			"registrationDate": wireTime(testkit.Epoch), "activationDate": "",
		}
		if rows := me.post("UserInformation", m{"uid": id(uid)}).data(); !reflect.DeepEqual(rows, []any{want}) {
			t.Errorf("her information is\n%v, want\n%v", rows, want)
		}
		if _, result := s.visitor().login(uid, "Open-sesame"); result != "Invalid username or password." {
			t.Errorf("a wrong password: %q", result)
		}
		if _, result := s.visitor().login(100000, password); result != "Invalid username or password." {
			t.Errorf("an unknown id: %q", result)
		}
	})
}

func TestASignedInMemberLearnsFromTheSponsorCheckWhatSomebodyHolds(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	s.change(uid, true, "100", "0", "50")
	path := "check_sponsorid?sid=" + id(uid)
	if who := s.visitor().get(path).data(); !reflect.DeepEqual(who, m{"result": "Anna Alpha", "name": "Anna Alpha"}) {
		t.Errorf("a visitor is told %v", who)
	}
	liar := s.visitor()
	liar.token = "x.y.z"
	if who := liar.get(path).data(); !reflect.DeepEqual(who, m{"result": "Anna Alpha", "name": "Anna Alpha"}) {
		t.Errorf("a visitor with a wrong token is told %v", who)
	}
	want := m{"result": "Anna Alpha", "name": "Anna Alpha", "RobotStatus": 1.0, "ForexStatus": 0.0, "CryptoStatus": 1.0}
	if who := s.login(s.root.UID, rootPassword).get(path).data(); !reflect.DeepEqual(who, want) {
		t.Errorf("a member is told %v", who)
	}
	if who := s.visitor().get("check_sponsorid?sid=1").result(); who != "Sponsor Id doesnot exists !!" {
		t.Errorf("nobody's id: %q", who)
	}
}

func TestTheWelcomeLetterIsWholeOnlyForTheBrowserThatRegistered(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	other := s.register(s.root.UID, tree.Left, "Berta Beta")
	joined := s.visitor().post("registration", form(s.root.UID, tree.Right, "Anna Maria Alpha"))
	uid := s.registered(joined)
	set := (&http.Response{Header: joined.header}).Cookies()
	if len(set) != 1 || !set[0].HttpOnly || set[0].SameSite != http.SameSiteStrictMode || set[0].MaxAge != 900 || set[0].Path != "/api/WelcomeDetails" {
		t.Fatalf("the cookie is %v", joined.header["Set-Cookie"])
	}
	cookie := set[0].Name + "=" + set[0].Value
	whole := []any{m{"f_name": "Anna Maria Alpha", "uid": id(uid), "email": "anna.maria.alpha@mail.example", "mobile": "9876543210", "position": "Right"}}
	initials := []any{m{"f_name": "A.M.A.", "uid": id(uid), "email": "", "mobile": "", "position": ""}}
	for _, c := range []struct {
		why, cookie string
		want        []any
	}{
		{"with the cookie", cookie, whole},
		{"without it", "", initials},
		{"with a forged one", cookie[:len(cookie)-2] + "xx", initials},
		{"with nonsense", set[0].Name + "=%%%", initials},
	} {
		if got := s.visitor().get("WelcomeDetails?uid="+id(uid), "Cookie", c.cookie).data(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v", c.why, got)
		}
	}
	if got := s.visitor().get("WelcomeDetails?uid="+id(other), "Cookie", cookie).data(); !reflect.DeepEqual(got, []any{m{"f_name": "B.B.", "uid": id(other), "email": "", "mobile": "", "position": ""}}) {
		t.Errorf("of somebody else: %v", got)
	}
	if got := s.visitor().get("WelcomeDetails?uid=100000", "Cookie", cookie).data(); !reflect.DeepEqual(got, []any{}) {
		t.Errorf("of nobody: %v", got)
	}
	s.clock.Advance(15 * time.Minute)
	if got := s.visitor().get("WelcomeDetails?uid="+id(uid), "Cookie", cookie).data(); !reflect.DeepEqual(got, initials) {
		t.Errorf("a quarter of an hour later: %v", got)
	}
	if refused := s.visitor().post("registration", form(100000, tree.Left, "Carl Gamma")); len(refused.header["Set-Cookie"]) != 0 {
		t.Errorf("who did not register got the cookie %q", refused.header["Set-Cookie"])
	}
}

func TestAnybodyMayAskForCountriesAndTheirOwnAddress(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	all := s.visitor().get("countryList").rows()
	if len(all) < 190 {
		t.Errorf("there are %d countries", len(all))
	}
	india := m{"id": 99.0, "name": "India", "phonecode": "91"}
	if got := s.visitor().get("GetcountrybyID?id=99").rows(); !reflect.DeepEqual(got, []any{india}) {
		t.Errorf("country 99 is %v", got)
	}
	if got := s.visitor().get("GetcountrybyID?id=999999").rows(); len(got) != 0 {
		t.Errorf("country 999999 is %v", got)
	}
	s.visitor().get("GetcountrybyID?id=India").names("id")
	s.visitor().get("GetcountrybyID").names("id")
	c := client{s: s, peer: "192.0.2.7:1"}
	if got := c.get("ip", "X-Forwarded-For", "203.0.113.1").data(); !reflect.DeepEqual(got, m{"ip": "192.0.2.7"}) {
		t.Errorf("the address is %v", got)
	}
}

func TestAMemberSeesAndEndsOwnSessions(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		phone, lost, desk := s.login(uid, password), s.login(uid, password), s.login(uid, password)
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

func TestATokenThatIsAboutToEndIsRenewedAndTheSessionEndsByIdleness(t *testing.T) {
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

func TestAForgottenPasswordIsReplacedByATemporaryOneThatMustBeChanged(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
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

func TestAForgottenPasswordIsReplacedByAMailedLinkOnce(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	const email = "anna.alpha@mail.example"
	open := s.login(uid, password)
	link := func() url.Values {
		t.Helper()
		s.visitor().post("ForgetPassword", m{"uid": uid}).into(&m{})
		text := s.letters(email)[0].Text
		u, err := url.Parse("http" + after(text, "The link works once.\nhttp"))
		if err != nil || u.Path != "/ForgotPassword" || u.Query().Get("userid") != id(uid) {
			t.Fatalf("the link is %v in\n%s", u, text)
		}
		return u.Query()
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

func TestAnOperatorsTicketOpensOneSessionOnce(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		operator := s.operator()
		mint := func() url.Values {
			t.Helper()
			var got struct{ Data struct{ Enpass, Link string } }
			operator.post("operator/ticket", m{"uid": uid, "reason": "the member asked"}).into(&got)
			u, err := url.Parse(got.Data.Link)
			if err != nil || u.Path != "/AdminLogin" || u.Query().Get("enpass") != got.Data.Enpass {
				t.Fatalf("minting answered %+v", got)
			}
			return u.Query()
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
		if got := s.visitor().post("operator/login", wrong).result(); got != "Invalid username or password." {
			t.Errorf("a wrong operator's password: %q", got)
		}
	})
}

func TestTheDashboardShowsWhatIsAvailableInTheFunds(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		s.command(func(_ context.Context, tx *ledger.Tx, _ ledger.Rows) error {
			for fund, amount := range map[string]string{"FUNDS": "12.5", "FOREXFUNDS": "0.000001", "CRYPTOFUNDS": "7"} {
				if _, err := tx.Post(ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{
					{Account: ledger.MustAccount("A:CLIENT"), Delta: money.MustParse(amount)},
					{Account: ledger.MustAccount("L:FUND:" + fund + ":" + id(s.root.UID)), Delta: money.MustParse(amount)},
				}}); err != nil {
					return err
				}
			}
			return nil
		})
		row := s.login(s.root.UID, rootPassword).post("userdashboard", m{"uid": s.root.UID}).rows()[0].(m)
		if row["Net_AdminFund"] != "12.500000" || row["Net_AdminFund_Forex"] != "0.000001" || row["Net_AdminFund_Crypto"] != "7.000000" {
			t.Errorf("the dashboard shows %v", row)
		}
	})
}

func TestTheDemosOutboxIsForThisMachineOnly(t *testing.T) {
	t.Parallel()
	demo := sqliteSite(t, "--trusted-proxies", "127.0.0.1,192.0.2.0/24")
	demo.register(demo.root.UID, tree.Left, "Anna Alpha")
	for _, path := range []string{"/dev/outbox", "/dev/outbox.json"} {
		for _, c := range []struct {
			why, peer string
			header    []string
			status    int
		}{
			{"this machine", "127.0.0.1:1", []string{"Host", "localhost:8080"}, 200},
			{"this machine by number", "127.0.0.1:1", []string{"Host", "127.0.0.1:8080"}, 200},
			{"this machine by six", "[::1]:1", []string{"Host", "[::1]:8080"}, 200},
			{"another machine", "192.0.2.1:1", []string{"Host", "localhost"}, 403},
			{"another machine, claiming to be here", "192.0.2.1:1", []string{"Host", "localhost", "X-Forwarded-For", "127.0.0.1"}, 403},
			{"a name that leads here", "127.0.0.1:1", []string{"Host", "evil.example"}, 403},
			{"an address that is not here", "127.0.0.1:1", []string{"Host", "192.0.2.1"}, 403},
			{"through a proxy here", "127.0.0.1:1", []string{"Host", "localhost", "X-Forwarded-For", "127.0.0.1"}, 403},
			{"through a proxy here that says little", "127.0.0.1:1", []string{"Host", "localhost", "X-Forwarded-For", ""}, 403},
			{"through a proxy with the newer header", "127.0.0.1:1", []string{"Host", "localhost", "Forwarded", "for=192.0.2.9"}, 403},
			{"through a proxy that only says so", "127.0.0.1:1", []string{"Host", "localhost", "Via", "1.1 proxy"}, 403},
		} {
			a := client{s: demo, peer: c.peer}.send("GET", path, "", c.header...)
			if a.status != c.status || strings.Contains(a.text, "anna.alpha") != (c.status == 200) {
				t.Errorf("%s, %s: %d", path, c.why, a.status)
			}
			if a.status == 200 && a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s may be kept", path)
			}
		}
		real := newApp(t, testConfig(t))
		r := httptest.NewRequest("GET", "http://localhost"+path, nil)
		r.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		real.Handler().ServeHTTP(w, r)
		if strings.Contains(w.Body.String(), "utbox") || w.Header().Get("Content-Type") == "application/json" {
			t.Errorf("%s answers outside a demo: %d %s", path, w.Code, w.Body)
		}
	}
}

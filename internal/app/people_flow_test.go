package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestRegisteredMembersCanSignIn(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		root := s.login(s.root.UID, rootPassword)
		if who := s.visitor().get("check_sponsorid?sid=" + id(s.root.UID)).data(); !reflect.DeepEqual(who, m{"result": "R.M.", "name": "R.M."}) {
			t.Errorf("a visitor gets %v of the sponsor", who)
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

func TestSponsorCheckShowsPackagesToMembers(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	s.change(uid, true, "100", "0", "50")
	path := "check_sponsorid?sid=" + id(uid)
	if who := s.visitor().get(path).data(); !reflect.DeepEqual(who, m{"result": "A.A.", "name": "A.A."}) {
		t.Errorf("a visitor gets %v", who)
	}
	liar := s.visitor()
	liar.token = "x.y.z"
	if who := liar.get(path).data(); !reflect.DeepEqual(who, m{"result": "A.A.", "name": "A.A."}) {
		t.Errorf("a visitor with a wrong token gets %v", who)
	}
	want := m{"result": "Anna Alpha", "name": "Anna Alpha", "RobotStatus": 1.0, "ForexStatus": 0.0, "CryptoStatus": 1.0}
	if who := s.login(s.root.UID, rootPassword).get(path).data(); !reflect.DeepEqual(who, want) {
		t.Errorf("a member gets %v", who)
	}
	if who := s.visitor().get("check_sponsorid?sid=1").result(); who != "Sponsor Id doesnot exists !!" {
		t.Errorf("an unknown id: %q", who)
	}
}

func TestFullWelcomeLetterIsForTheRegisteringBrowser(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	other := s.register(s.root.UID, tree.Left, "Berta Beta")
	joined := s.visitor().post("registration", form(s.root.UID, tree.Right, "Anna Maria Alpha"))
	uid := s.registered(joined)
	set := (&http.Response{Header: joined.header}).Cookies()
	if len(set) != 1 || !set[0].HttpOnly || set[0].SameSite != http.SameSiteStrictMode || set[0].MaxAge != 900 || set[0].Path != "/" || set[0].Name != "bifolia_welcome" {
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

func TestCountriesAndIPAddressArePublic(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	all := s.visitor().get("countryList").rows()
	if len(all) < 190 {
		t.Errorf("there are %d countries", len(all))
	}
	india := m{"id": 99.0, "iso": "IN", "name": "India", "phonecode": "91"}
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

func TestDashboardShowsAvailableFunds(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		s.command(func(_ context.Context, tx *ledger.Tx) error {
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

func TestMailsArePreviewedInADemoOnThisMachineOnly(t *testing.T) {
	t.Parallel()
	demo, real := sqliteSite(t), sqliteSite(t, "--demo", "false")
	here, elsewhere := client{s: demo, peer: "127.0.0.1:1"}, client{s: demo, peer: "192.0.2.1:1"}
	for path, part := range map[string]string{
		"/dev/mails": "Welcome to Bifolia", "/dev/mails?language=hi": "नमस्ते", "/dev/mails/welcome": "@media not all", "/dev/mails/welcome?language=hi&theme=dark": "@media all",
	} {
		if a := here.send("GET", path, "", "Host", "localhost:8080"); a.status != 200 || !strings.Contains(a.text, part) {
			t.Errorf("%s: %d %s", path, a.status, a.text)
		}
		if a := elsewhere.send("GET", path, "", "Host", "localhost:8080"); a.status != 403 {
			t.Errorf("%s from another machine: %d", path, a.status)
		}
		if a := (client{s: real, peer: "127.0.0.1:1"}).send("GET", path, "", "Host", "localhost:8080"); strings.Contains(a.text, part) {
			t.Errorf("%s in production: %d", path, a.status)
		}
	}
	if a := here.send("GET", "/dev/mails/none", "", "Host", "localhost:8080"); a.status != 404 {
		t.Errorf("an unknown mail: %d", a.status)
	}
}

func TestOutboxIsShownToThisMachineOnly(t *testing.T) {
	t.Parallel()
	demo := sqliteSite(t, "--trusted-proxies", "127.0.0.1")
	demo.register(demo.root.UID, tree.Left, "Anna Alpha")
	for _, path := range []string{httpx.OutboxPath(demo.secret), httpx.OutboxPath(demo.secret) + "/letters.json"} {
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
		for _, guess := range []string{"/dev/outbox", "/dev/outbox.json", "/dev/outbox/", httpx.OutboxPath("letters.json"), httpx.OutboxPath(strings.ToLower(demo.secret)), httpx.OutboxPath("x") + "/letters.json"} {
			a := client{s: demo, peer: "127.0.0.1:1"}.send("GET", guess, "", "Host", "127.0.0.1:8080") // like a proxy that adds no headers
			if strings.Contains(a.text, "anna.alpha") || strings.Contains(a.text, demo.secret) {
				t.Errorf("%s shows letters: %d", guess, a.status)
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

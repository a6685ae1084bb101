package app

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// proof is an operator's password and an unused code of the app.
func (s *site) proof(more m) m {
	s.clock.Advance(time.Minute)
	out := m{"password": operatorPassword, "code": code(s.t, s.clock.Now())}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// passkey adds a passkey to the operator of a session.
func (s *site) passkey(c client, name string) *device {
	s.t.Helper()
	d := newDevice(s.t)
	var b begun
	c.post("operator/passkeys/begin", s.proof(m{"name": name})).into(&b)
	c.post("operator/passkeys/add", d.make(b)).into(&m{})
	return d
}

// challenge begins a sign-in.
func (s *site) challenge() (b begun) {
	s.t.Helper()
	s.visitor().post("operator/passkey/begin", nil).into(&b)
	return b
}

// signed sends a device's signature from a new address.
func (s *site) signed(body m) (c client, result string) {
	s.t.Helper()
	c = s.visitor()
	var got struct {
		Data  struct{ Result string }
		Token string
	}
	c.post("operator/passkey/login", body).into(&got)
	c.token = got.Token
	return c, got.Data.Result
}

// shut fails unless body signs nobody in, with the one response for all failures.
func (s *site) shut(what string, body m) {
	s.t.Helper()
	if c, result := s.signed(body); c.token != "" || result != auth.ErrWrongPasskey.Error() {
		s.t.Errorf("%s: %q", what, result)
	}
}

type passkeyList struct {
	Data struct {
		Origin, Refusal string
		Passkeys        []struct{ ID, Name, Created, Used string }
	}
}

func TestOperatorUsesAPasskey(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner := s.operator()
		var b begun
		owner.post("operator/passkeys/begin", m{"name": " ", "password": operatorPassword}).names("name")
		owner.post("operator/passkeys/begin", s.proof(m{"name": "Laptop"})).into(&b)
		o := b.Data.Options
		if o.Attestation != "none" || o.AuthenticatorSelection.ResidentKey != "required" || o.AuthenticatorSelection.UserVerification != "required" || o.RP.ID != "localhost" || !strings.HasPrefix(b.Data.Origin, "http://localhost:") || o.User.Name != operatorEmail {
			t.Errorf("begun %+v", b)
		}
		d := newDevice(t)
		body := d.make(b)
		owner.post("operator/passkeys/add", body).into(&m{})
		owner.post("operator/passkeys/add", body).says(422, "was late or invalid")

		me, result := s.signed(d.sign(s.challenge()))
		if result != "Successfull" {
			t.Fatal(result)
		}
		me.get("operator/close/days").into(&m{})
		var list passkeyList
		if me.get("operator/passkeys").into(&list); len(list.Data.Passkeys) != 1 || list.Data.Passkeys[0].Name != "Laptop" || list.Data.Passkeys[0].Used == "" || list.Data.Refusal != "" {
			t.Fatalf("listed %+v", list)
		}
		me.post("operator/passkeys/begin", s.proof(m{"name": "Phone"})).into(&b)
		if b.Data.Options.User.ID != b64(d.handle) || len(b.Data.Options.ExcludeCredentials) != 1 || b.Data.Options.ExcludeCredentials[0].ID != b64(d.credential) {
			t.Errorf("a second one begins as %+v", b)
		}

		me.post("operator/passkeys/remove", s.proof(m{"id": list.Data.Passkeys[0].ID, "password": "wrong-horse-22"})).says(422, "is wrong")
		me.post("operator/passkeys/remove", s.proof(m{"id": "99"})).refused(404)
		me.post("operator/passkeys/remove", s.proof(m{"id": list.Data.Passkeys[0].ID})).into(&m{})
		s.shut("a removed passkey", d.sign(s.challenge()))
		owner.get("operator/me").unauthenticated() // the device may be in wrong hands
		me.get("operator/me").into(&m{})
		if l := s.letters(operatorEmail); len(l) != 2 || !strings.Contains(l[0].Subject, "removed") || !strings.Contains(l[1].Subject, "added") || !strings.Contains(l[1].Text, "Laptop") {
			t.Errorf("mailed %+v", l)
		}
		for _, act := range []string{"passkey added", "passkey removed"} {
			var page auditPage
			if me.get("operator/audit?act=" + strings.ReplaceAll(act, " ", "%20")).into(&page); len(page.Data[0]) != 1 {
				t.Errorf("the record of %q says %+v", act, page)
			}
		}
	})
}

func TestCodeAloneAddsNoPasskey(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner := s.operator()
		d := s.passkey(owner, "Laptop")
		for what, wrong := range map[string]m{
			"a code alone": {"password": ""}, "the password alone": {"code": ""}, "a wrong password": {"password": "wrong-horse-22"}, "a wrong code": {"code": "000000"},
			"a code in the password's place": {"password": code(t, s.clock.Now())},
		} {
			wrong["name"] = "Theirs"
			if got := owner.post("operator/passkeys/begin", s.proof(wrong)); got.status != 422 {
				t.Errorf("%s begins one: %d", what, got.status)
			}
		}
		owner = s.operator() // five wrong ones end a session
		owner.post("operator/factor/begin", nil).refused(422)
		owner.post("operator/factor/begin", m{"password": operatorPassword}).refused(422)
		s.clock.Advance(15 * time.Minute) // wrong codes are counted
		owner = s.operator()
		spent := s.proof(m{"name": "Mine"})
		var b begun
		owner.post("operator/passkeys/begin", spent).into(&b)
		owner.post("operator/passkeys/begin", spent).says(422, "is wrong") // the code is used up

		// A passkey instead of the code: once, for the session that asked, and for nothing
		// else.
		prove := func(c client) m {
			t.Helper()
			c.post("operator/passkey/prove", nil).into(&b)
			return d.sign(b)
		}
		again := prove(owner)
		theirs := s.operator()
		theirs.post("operator/passkeys/begin", m{"name": "Phone", "password": operatorPassword, "passkey": again}).says(422, "is wrong")
		s.shut("a challenge to prove it", prove(owner))
		owner.post("operator/passkeys/begin", m{"name": "Phone", "password": operatorPassword, "passkey": d.sign(s.challenge())}).says(422, "is wrong")
		owner.post("operator/passkeys/begin", m{"name": "Phone", "passkey": prove(owner)}).says(422, "is wrong")
		owner.post("operator/passkeys/begin", m{"name": "Phone", "password": operatorPassword, "passkey": again}).into(&b)
		owner.post("operator/passkeys/begin", m{"name": "Phone", "password": operatorPassword, "passkey": again}).says(422, "is wrong")
		owner.post("operator/factor/begin", m{"password": operatorPassword, "passkey": prove(owner)}).into(&m{})
	})
}

func TestPasskeyAnswerIsForOneChallengeSiteAndOwner(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner, helper := s.operator(), s.hire(auth.RoleSupport)
		mine, theirs := s.passkey(owner, "Mine"), s.passkey(helper, "Theirs")
		in := func(what string, body m) {
			t.Helper()
			if _, result := s.signed(body); result != "Successfull" {
				t.Errorf("%s: %s", what, result)
			}
		}
		with := func(body m, more m) m {
			for k, v := range more {
				body[k] = v
			}
			return body
		}
		once := mine.sign(s.challenge())
		in("the passkey", once)
		s.shut("the same again", once)
		late := mine.sign(s.challenge())
		s.clock.Advance(5 * time.Minute)
		s.shut("one that is too late", late)

		spoilt := s.challenge()
		s.shut("a wrong signature", with(mine.sign(spoilt), m{"signature": b64([]byte("nonsense"))}))
		s.shut("the challenge of a wrong signature", mine.sign(spoilt))
		s.shut("no device", newDevice(t).sign(s.challenge()))
		s.shut("another's challenge", with(mine.sign(s.challenge()), m{"flow": s.challenge().Data.Flow}))
		s.shut("another's key", with(mine.sign(s.challenge()), m{"id": b64(theirs.credential)}))
		s.shut("another's handle", with(mine.sign(s.challenge()), m{"userHandle": b64(theirs.handle)}))
		s.shut("no handle", with(mine.sign(s.challenge()), m{"userHandle": ""}))
		s.shut("no base64", with(mine.sign(s.challenge()), m{"authenticatorData": "%%%"}))
		origin, host := mine.origin, mine.host
		mine.origin = "https://localhost.example"
		s.shut("another origin", mine.sign(s.challenge()))
		mine.origin, mine.host = origin, "bifolia.example"
		s.shut("another site", mine.sign(s.challenge()))
		mine.host, mine.unverified = host, true
		s.shut("nobody's finger", mine.sign(s.challenge()))
		mine.unverified = false
		in("the passkey after all this", mine.sign(s.challenge()))
		in("the other's", theirs.sign(s.challenge()))

		var adding begun // a challenge is for one flow and one session
		owner.post("operator/passkeys/begin", s.proof(m{"name": "More"})).into(&adding)
		s.shut("the challenge to add one", mine.sign(adding))
		helper.post("operator/passkeys/add", newDevice(t).make(adding)).says(422, "was late or invalid")
		s.operator().post("operator/passkeys/add", newDevice(t).make(adding)).says(422, "was late or invalid")
		owner.post("operator/passkeys/add", newDevice(t).make(s.challengeAs(adding))).says(422, "was late or invalid")
		known := newDevice(t)
		known.credential = mine.credential
		owner.post("operator/passkeys/add", known.make(adding)).says(409, "already")
		owner.post("operator/passkeys/add", newDevice(t).make(adding)).says(422, "was late or invalid")
		var list passkeyList
		if owner.get("operator/passkeys").into(&list); len(list.Data.Passkeys) != 1 || list.Data.Passkeys[0].Name != "Mine" {
			t.Errorf("listed %+v", list)
		}
		owner.post("operator/passkeys/remove", s.proof(m{"id": "2"})).refused(404) // the other's
	})
}

// challengeAs is b with the flow of a sign-in.
func (s *site) challengeAs(b begun) begun {
	b.Data.Flow = s.challenge().Data.Flow
	return b
}

func TestNewPasskeyMustBeOfThisSiteAndVerifyItsOwner(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	owner := s.operator()
	for what, change := range map[string]func(*device){
		"another origin":  func(d *device) { d.origin = "https://localhost.example" },
		"another site":    func(d *device) { d.host = "bifolia.example" },
		"nobody's finger": func(d *device) { d.unverified = true },
	} {
		d := newDevice(t)
		change(d)
		var b begun
		owner.post("operator/passkeys/begin", s.proof(m{"name": what})).into(&b)
		owner.post("operator/passkeys/add", d.make(b)).says(422, "was late or invalid")
	}
	var b begun
	owner.post("operator/passkeys/begin", s.proof(m{"name": "late"})).into(&b)
	s.clock.Advance(5 * time.Minute)
	owner.post("operator/passkeys/add", newDevice(t).make(b)).says(422, "was late or invalid")
	s.challenge() // sweeps what is over
	if got := s.counts("passkey", "factor_challenge"); got != "passkey 0, factor_challenge 1, " {
		t.Errorf("left behind: %s", got)
	}
}

func TestPasskeyCounterThatGoesBackIsRefused(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner := s.operator()
		d := s.passkey(owner, "Laptop")
		for range 3 {
			if _, result := s.signed(d.sign(s.challenge())); result != "Successfull" {
				t.Fatal(result)
			}
		}
		d.uses -= 1
		s.shut("the same count", d.sign(s.challenge()))
		d.uses -= 2
		s.shut("a lower count", d.sign(s.challenge()))
		if l := s.letters(operatorEmail); len(l) != 3 || !strings.Contains(l[0].Subject, "refused") || !strings.Contains(l[0].Text, "Laptop") {
			t.Errorf("mailed %+v", l)
		}
		var page auditPage
		if owner.get("operator/audit?act=passkey%20refused").into(&page); len(page.Data[0]) != 2 {
			t.Errorf("the record says %+v", page)
		}
		d.uses += 10
		if _, result := s.signed(d.sign(s.challenge())); result != "Successfull" {
			t.Error(result)
		}
	})
}

func TestEndedOrResetOperatorHasNoPasskey(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner, ended, reset := s.operator(), s.hire(auth.RoleSupport), s.hire(auth.RoleFinance)
		one, two := s.passkey(ended, "One"), s.passkey(reset, "Two")
		of := func(c client) string {
			var me struct{ Data struct{ ID string } }
			c.get("operator/me").into(&me)
			return me.Data.ID
		}
		toEnd, toReset := of(ended), of(reset)
		inFlight := one.sign(s.challenge())
		owner.post("operator/end", m{"operator": toEnd, "reason": "has left us"}).into(&m{})
		s.shut("who ended meanwhile", inFlight)
		s.shut("who ended", one.sign(s.challenge()))
		var adding begun
		reset.post("operator/passkeys/begin", s.proof(m{"name": "More"})).into(&adding)
		owner.post("operator/factor/reset", m{"operator": toReset, "reason": "the phone is lost"}).into(&m{})
		s.shut("who was reset", two.sign(s.challenge()))
		reset.post("operator/passkeys/add", newDevice(t).make(adding)).unauthenticated()
		if got := s.counts("passkey"); got != "passkey 1, " { // those of the ended operator are gone
			t.Error(got)
		}
		var page auditPage
		if owner.get("operator/audit?act=factor%20reset").into(&page); len(page.Data[0]) != 1 || page.Data[0][0].Was["passkeys"] != 1.0 {
			t.Errorf("the record says %+v", page)
		}
	})
}

func TestConcurrentAnswersToOneChallengeHaveOneWinner(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		d := s.passkey(s.operator(), "Laptop")
		b := s.challenge()
		const tries = 6
		var bodies [tries]string
		var clients [tries]client
		for i := range tries {
			raw, err := json.Marshal(d.sign(b)) // each counts higher
			if err != nil {
				t.Fatal(err)
			}
			bodies[i], clients[i] = string(raw), s.visitor()
		}
		var answers [tries]answer
		var all sync.WaitGroup
		for i := range tries {
			all.Go(func() { answers[i] = clients[i].send("POST", "/api/operator/passkey/login", bodies[i]) })
		}
		all.Wait()
		won := 0
		for _, a := range answers {
			if a.result() == "Successfull" {
				won++
			}
		}
		if won != 1 {
			t.Errorf("%d of %d were let in", won, tries)
		}
	})
}

func TestPlantedPasskeySignsNobodyIn(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		s.operator()
		d := s.passkey(s.hire(auth.RoleSupport), "Mine")
		raw := testkit.Raw(t, s.dsn)
		defer func() { _ = raw.Close() }()
		if _, err := raw.Exec("UPDATE passkey SET owner = 1"); err != nil {
			t.Fatal(err)
		}
		s.shut("another's row", d.sign(s.challenge()))
	})
}

func TestPasskeySignInIsThrottledByAddress(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	d := s.passkey(s.operator(), "Laptop")
	c := s.visitor()
	b := s.challenge()
	limited := func(path string, body m) (n int) {
		for c.post(path, body).status == 200 {
			if n++; n > 100 {
				t.Fatalf("%s is never limited", path)
			}
		}
		c.post(path, body).refused(429)
		return n
	}
	if n := limited("operator/passkey/begin", nil); n != 30 {
		t.Errorf("%d challenges", n)
	}
	if n := limited("operator/passkey/login", newDevice(t).sign(b)); n != 30 {
		t.Errorf("%d tries", n)
	}
	if _, result := s.signed(d.sign(s.challenge())); result != "Successfull" {
		t.Error("elsewhere: " + result)
	}
}

func TestOperatorHasTenPasskeysAtMost(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	owner := s.operator()
	var spare begun
	for i := range 10 {
		s.passkey(owner, id(int64(i)))
		if i == 8 {
			owner.post("operator/passkeys/begin", s.proof(m{"name": "spare"})).into(&spare)
		}
	}
	owner.post("operator/passkeys/begin", s.proof(m{"name": "more"})).says(422, "ten passkeys")
	owner.post("operator/passkeys/add", newDevice(t).make(spare)).says(422, "ten passkeys")
}

func TestPasskeysTakeASecureAddress(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--public-url", "http://bifolia.example", "--demo", "false")
	owner := s.operator()
	owner.post("operator/passkeys/begin", s.proof(m{"name": "Laptop"})).says(422, "must begin with https://")
	s.visitor().post("operator/passkey/begin", nil).says(422, "must begin with https://")
	var none begun
	none.Data.Flow = strings.Repeat("A", 26)
	s.visitor().post("operator/passkey/login", newDevice(t).sign(none)).says(422, "must begin with https://")
	var list passkeyList
	if owner.get("operator/passkeys").into(&list); list.Data.Refusal == "" || list.Data.Origin != "" {
		t.Errorf("%+v", list)
	}
}

func TestPasskeyChallengesSurviveARestart(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--public-url", "https://bifolia.example", "--demo", "false")
	d := s.passkey(s.operator(), "Laptop")
	body := d.sign(s.challenge())
	other := &site{t: t, dsn: s.dsn, clock: s.clock, peers: 100}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	other.App = cheapApp(t, s.cfg, s.clock)
	if _, result := other.signed(body); result != "Successfull" {
		t.Error(result)
	}
}

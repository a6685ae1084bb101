package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// phone is a member's authenticator app.
type phone struct {
	c        client
	secret   string
	recovery []string
}

// code is an unused code.
func (p phone) code() string {
	p.c.s.t.Helper()
	p.c.s.clock.Advance(time.Minute)
	return p.now()
}

func (p phone) now() string {
	p.c.s.t.Helper()
	code, err := totp.GenerateCode(p.secret, p.c.s.clock.Now())
	if err != nil {
		p.c.s.t.Fatal(err)
	}
	return code
}

// app sets an authenticator app for a member who has no second factor.
func (c client) app() phone {
	c.s.t.Helper()
	var begun struct{ Data struct{ Secret, URI string } }
	c.post("factor/begin", m{"password": password}).into(&begun)
	p := phone{c: c, secret: begun.Data.Secret}
	var done struct{ Data struct{ Recovery []string } }
	c.post("factor/confirm", m{"code": p.now()}).into(&done)
	p.recovery = done.Data.Recovery
	return p
}

// step is the response to the password of a member with a second factor.
type step struct {
	Data struct {
		Result string
		Second struct {
			Flow, Origin string
			App          bool
			Passkey      struct{ Challenge, RPID string }
		}
		Over bool
	}
	Token string
}

// knock sends a member's password from the member's address.
func (s *site) knock(uid int64, password string) (client, step) {
	s.t.Helper()
	c := s.home(id(uid))
	c.uid = uid
	var got step
	c.post("login", m{"uid": id(uid), "password": password}).into(&got)
	return c, got
}

// second continues after a correct password.
func (c client) second(flow string, more m) (client, step) {
	c.s.t.Helper()
	var got step
	c.post("login/factor", with(m{"flow": flow}, more)).into(&got)
	c.token = got.Token
	return c, got
}

// second is a device's response for the second step.
func (d *device) second(k step) m {
	var b begun
	b.Data.Flow, b.Data.Origin = k.Data.Second.Flow, k.Data.Second.Origin
	b.Data.Options.Challenge, b.Data.Options.RPID = k.Data.Second.Passkey.Challenge, k.Data.Second.Passkey.RPID
	return d.sign(b)
}

// signs lets a device sign the challenge of a call.
func (c client) signs(d *device, path string, body m) m {
	c.s.t.Helper()
	var b begun
	c.post(path, body).into(&b)
	return d.sign(b)
}

type standingNow struct {
	Data struct {
		Set, Waits   string
		App          bool
		RecoveryLeft int
		Above        string
		Passkeys     []struct{ ID, Name string }
	}
}

func TestMemberUsesAnAuthenticatorApp(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		other := s.login(me.uid, password)
		me.post("factor/begin", m{"password": "wrong"}).says(422, "is wrong")
		p := me.app()
		if len(p.recovery) != 10 {
			t.Fatalf("%d recovery codes", len(p.recovery))
		}
		other.get("factor").unauthenticated()
		var now standingNow
		if me.get("factor").into(&now); now.Data.Set == "" || !now.Data.App || now.Data.RecoveryLeft != 10 || now.Data.Waits == "" {
			t.Errorf("%+v", now.Data)
		}
		c, got := s.knock(me.uid, password)
		if got.Token != "" || got.Data.Result == "Successfull" || !got.Data.Second.App || got.Data.Second.Passkey.Challenge != "" {
			t.Fatalf("the password alone: %+v", got)
		}
		if in, said := c.second(got.Data.Second.Flow, m{"code": p.code()}); said.Data.Result != "Successfull" || in.get("factor").status != 200 {
			t.Errorf("%+v", said)
		}
		c, got = s.knock(me.uid, password)
		if _, said := c.second(got.Data.Second.Flow, m{"code": strings.ToUpper(p.recovery[3])}); said.Data.Result != "Successfull" {
			t.Errorf("by a recovery code: %+v", said)
		}
		if me.get("factor").into(&now); now.Data.RecoveryLeft != 9 {
			t.Errorf("%d recovery codes are left", now.Data.RecoveryLeft)
		}
		var fresh struct{ Data struct{ Recovery []string } }
		me.post("factor/recovery", m{"password": password, "code": p.code()}).into(&fresh)
		c, got = s.knock(me.uid, password)
		if _, said := c.second(got.Data.Second.Flow, m{"code": p.recovery[4]}); said.Token != "" {
			t.Error("a recovery code of before signs in")
		}
		me.post("factor/disable", m{"password": password, "code": fresh.Data.Recovery[0]}).into(&m{})
		s.clock.Advance(time.Hour)
		s.login(me.uid, password)
		if got := s.counts("passkey", "factor_challenge"); got != "passkey 0, factor_challenge 0, " {
			t.Error(got)
		}
		var subjects []string
		for _, l := range s.letters(annasMail) {
			subjects = append(subjects, l.Subject)
		}
		for _, words := range []string{"now protects your account", "new recovery codes", "was turned off"} {
			if !strings.Contains(strings.Join(subjects, "\n"), words) {
				t.Errorf("no mail says %q: %v", words, subjects)
			}
		}
		if err := closing.CheckBooks(t.Context(), s.db.Books()); err != nil {
			t.Error(err)
		}
	})
}

func TestUsedOrForeignCodeDoesNotSignIn(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		bob := s.login(s.register(s.root.UID, tree.Right, "Bob Beta"), password)
		mine, his := me.app(), bob.app()
		c, got := s.knock(me.uid, password)
		flow := got.Data.Second.Flow
		for what, code := range map[string]string{"another's code": his.code(), "another's recovery code": his.recovery[0], "no code": ""} {
			if _, said := c.second(flow, m{"code": code}); said.Token != "" || said.Data.Over {
				t.Errorf("%s: %+v", what, said)
			}
		}
		used := mine.code()
		if _, said := c.second(flow, m{"code": used}); said.Token == "" {
			t.Fatalf("the right one: %+v", said)
		}
		if _, said := c.second(flow, m{"code": mine.code()}); said.Token != "" || !said.Data.Over {
			t.Errorf("the same sign-in twice: %+v", said)
		}
		c, got = s.knock(me.uid, password)
		if _, said := c.second(got.Data.Second.Flow, m{"code": used}); said.Token != "" {
			t.Error("a code signs in twice")
		}
		if _, said := c.second(got.Data.Second.Flow, m{"code": mine.recovery[0]}); said.Token == "" {
			t.Error("a recovery code does not")
		}
		c, got = s.knock(me.uid, password)
		if _, said := c.second(got.Data.Second.Flow, m{"code": mine.recovery[0]}); said.Token != "" {
			t.Error("a recovery code signs in twice")
		}
		s.clock.Advance(5 * time.Minute)
		if _, said := c.second(got.Data.Second.Flow, m{"code": mine.now()}); said.Token != "" || !said.Data.Over {
			t.Errorf("a sign-in that took too long: %+v", said)
		}
		if _, said := c.second(strings.Repeat("A", 26), m{"code": mine.now()}); said.Token != "" || !said.Data.Over {
			t.Errorf("a sign-in that never was: %+v", said)
		}
	})
}

func TestFiveWrongCodesLockTheSecondFactor(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		p := me.app()
		for range 5 {
			s.clock.Advance(time.Minute)
			c, got := s.knock(me.uid, password)
			c.peer = s.visitor().peer // wherever it comes from
			if _, said := c.second(got.Data.Second.Flow, m{"code": "000000"}); said.Token != "" {
				t.Fatal("a wrong code signs in")
			}
		}
		c, got := s.knock(me.uid, password)
		c.post("login/factor", m{"flow": got.Data.Second.Flow, "code": p.code()}).says(http.StatusTooManyRequests, "Too many wrong codes")
		if l := s.letters(annasMail)[0]; !strings.Contains(l.Subject, "Wrong codes") {
			t.Errorf("mailed %q", l.Subject)
		}
		s.clock.Advance(15 * time.Minute)
		c, got = s.knock(me.uid, password)
		if _, said := c.second(got.Data.Second.Flow, m{"code": p.code()}); said.Token == "" {
			t.Errorf("after the lock: %+v", said)
		}
	})
}

func TestPasswordResetDoesNotSkipTheSecondFactor(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		p := me.app()
		s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).into(&m{})
		letter := s.letters(annasMail)[0].Text
		temporary := after(letter, "Temporary password:")
		c, got := s.knock(me.uid, temporary)
		if got.Token != "" || got.Data.Second.Flow == "" {
			t.Fatalf("the mailed password alone: %+v", got)
		}
		if _, said := c.second(got.Data.Second.Flow, m{"code": "000000"}); said.Token != "" {
			t.Error("a wrong code signs in")
		}
		in, said := c.second(got.Data.Second.Flow, m{"code": p.code()})
		if said.Token == "" {
			t.Fatalf("with a code: %+v", said)
		}
		in.post("factor/disable", m{"password": temporary, "code": p.code()}).says(http.StatusForbidden, "Change your temporary password first")
		in.get("factor").refused(http.StatusForbidden)

		// The link sets a password, and does not sign in.
		s.clock.Advance(time.Hour)
		s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).into(&m{})
		_, rest, _ := strings.Cut(s.letters(annasMail)[0].Text, "#reset=")
		token, _, _ := strings.Cut(rest, "&")
		waiting, begun := s.knock(me.uid, after(s.letters(annasMail)[0].Text, "Temporary password:"))
		s.visitor().post("ResetPassword", m{"uid": id(me.uid), "token": token, "password": "Another horse 2"}).into(&m{})
		if _, said := waiting.second(begun.Data.Second.Flow, m{"code": p.code()}); said.Token != "" || !said.Data.Over {
			t.Errorf("a sign-in that was begun with the former password: %+v", said)
		}
		if _, got := s.knock(me.uid, "Another horse 2"); got.Token != "" || got.Data.Second.Flow == "" {
			t.Errorf("the new password alone: %+v", got)
		}
	})
}

func TestStolenSessionCannotChangeTheSecondFactor(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		p := me.app()
		var b begun
		me.post("factor/passkeys/begin", m{"password": password, "code": p.code(), "name": "Phone"}).into(&b)
		d := newDevice(t)
		var added struct{ Data struct{ Recovery []string } }
		me.post("factor/passkeys/add", d.make(b)).into(&added)
		if len(added.Data.Recovery) != 0 {
			t.Error("a second passkey brings recovery codes")
		}
		var now standingNow
		me.get("factor").into(&now)
		calls := map[string]m{
			"factor/disable": nil, "factor/begin": nil, "factor/recovery": nil, "factor/passkeys/begin": {"name": "Theirs"}, "factor/passkeys/remove": {"id": now.Data.Passkeys[0].ID},
		}
		for path, body := range calls {
			for what, proof := range map[string]m{
				"nothing": {}, "the password": {"password": password}, "a code": {"code": p.code()}, "a wrong password": {"password": "wrong horse 9", "code": p.code()},
				"a passkey": {"passkey": me.signs(d, "factor/prove", nil)}, "a sign-in's passkey": {"password": password, "passkey": d.sign(s.challenge())},
			} {
				if a := me.post(path, with(proof, body)); a.status != 422 && a.status != http.StatusTooManyRequests {
					t.Errorf("%s with %s: %d %s", path, what, a.status, a.text)
				}
				s.clock.Advance(time.Minute)
				_, got := s.knock(me.uid, password) // again: five wrong codes would end the session
				c, said := me.second(got.Data.Second.Flow, m{"passkey": d.second(got)})
				if me = c; said.Token == "" {
					t.Fatalf("%+v", said)
				}
			}
		}
		visit := s.visit(s.operator(), me.uid)
		for path, body := range calls {
			visit.post(path, with(m{"password": password, "code": p.code()}, body)).refused(http.StatusForbidden)
		}
		visit.post("factor/prove", nil).refused(http.StatusForbidden)
		visit.post("factor/passkeys/rename", m{"id": now.Data.Passkeys[0].ID, "name": "Mine"}).refused(http.StatusForbidden)
		me.post("factor/passkeys/rename", m{"id": now.Data.Passkeys[0].ID, "name": "Tablet"}).into(&m{})
		me.post("factor/passkeys/remove", m{"id": now.Data.Passkeys[0].ID, "password": password, "passkey": me.signs(d, "factor/prove", nil)}).into(&m{})
		if me.get("factor").into(&now); len(now.Data.Passkeys) != 0 || !now.Data.App {
			t.Errorf("%+v", now.Data)
		}
	})
}

func TestMembersPasskeyDoesNotSignInAnOperator(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		bob := s.login(s.register(s.root.UID, tree.Right, "Bob Beta"), password)
		give := func(c client) (*device, []string) {
			t.Helper()
			var b begun
			c.post("factor/passkeys/begin", m{"password": password, "name": "Phone"}).into(&b)
			d := newDevice(t)
			var added struct{ Data struct{ Recovery []string } }
			c.post("factor/passkeys/add", d.make(b)).into(&added)
			return d, added.Data.Recovery
		}
		mine, recovery := give(me)
		his, _ := give(bob)
		if len(recovery) != 10 {
			t.Fatalf("a first passkey brings %d recovery codes", len(recovery))
		}
		s.shut("a member's passkey at the operators' door", mine.sign(s.challenge()))
		_, theirs := s.knock(bob.uid, password)
		for what, sign := range map[string]func(step) m{
			"another's passkey":         his.second,
			"another's sign-in":         func(k step) m { return with(mine.second(theirs), m{"flow": k.Data.Second.Flow}) },
			"an operator's challenge":   func(k step) m { return with(mine.sign(s.challenge()), m{"flow": k.Data.Second.Flow}) },
			"a challenge within":        func(step) m { return me.signs(mine, "factor/prove", nil) },
			"the operators' challenge ": func(step) m { return mine.sign(s.challenge()) },
		} {
			s.clock.Advance(time.Minute)
			c, got := s.knock(me.uid, password)
			if _, said := c.second(got.Data.Second.Flow, m{"passkey": sign(got)}); said.Token != "" {
				t.Errorf("%s signs in", what)
			}
			if _, said := c.second(got.Data.Second.Flow, m{"passkey": mine.second(got)}); said.Token != "" {
				t.Errorf("%s leaves the sign-in open", what)
			}
		}
		s.clock.Advance(5 * time.Minute)
		c, got := s.knock(me.uid, password)
		sign := mine.second(got)
		delete(sign, "userHandle") // as some devices leave it out
		if _, said := c.second(got.Data.Second.Flow, m{"passkey": sign}); said.Token == "" {
			t.Errorf("the member's own: %+v", said)
		}
		c, got = s.knock(me.uid, password)
		mine.uses -= 2
		if _, said := c.second(got.Data.Second.Flow, m{"passkey": mine.second(got)}); said.Token != "" {
			t.Error("a passkey whose counter went back signs in")
		}
		if l := s.letters(annasMail)[0]; !strings.Contains(l.Subject, "was refused") {
			t.Errorf("mailed %q", l.Subject)
		}
	})
}

func TestConfirmationIsForOneWithdrawal(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.earner("200")
		p := me.app()
		var b begun
		me.post("factor/passkeys/begin", m{"password": password, "code": p.code(), "name": "Phone"}).into(&b)
		d := newDevice(t)
		me.post("factor/passkeys/add", d.make(b)).into(&m{})
		ask := func(amount string) m {
			return m{"Request_amount": amount, "Wtype": "LevelIncome", "withdrawlType": "USDT"}
		}
		take := func(amount string, more m) string {
			t.Helper()
			s.clock.Advance(time.Minute)
			return me.post("Withdrawal", with(with(ask(amount), m{"uid": id(me.uid)}), more)).result()
		}
		letters := len(s.letters(annasMail))
		if got := me.post("Withdrawalupdate", with(ask("40"), m{"Email": annasMail})).word(); !strings.Contains(got, "no OTP is mailed") {
			t.Errorf("asking for a code answers %q", got)
		}
		s.visitor().post("Withdrawalupdate", m{"Email": annasMail, "uid": id(me.uid)}).into(&m{})
		if got := len(s.letters(annasMail)); got != letters {
			t.Error("a code was mailed")
		}
		for what, otp := range map[string]m{"a recovery code": {"otp": p.recovery[0]}, "a wrong code": {"otp": "000000"}, "no code": nil} {
			if take("40", otp) == withdrawn {
				t.Errorf("%s confirms it", what)
			}
		}
		if got := me.post("Withdrawal", with(ask("4000"), m{"uid": id(me.uid), "otp": p.code()})).result(); !strings.Contains(got, "nsufficient") { // a right one: the wrong ones are forgiven
			t.Errorf("more than there is: %q", got)
		}
		for what, got := range map[string]string{
			"another amount": take("41", m{"passkey": me.signs(d, "factor/withdrawal", ask("40"))}),
			"another wallet": take("40", m{"passkey": me.signs(d, "factor/withdrawal", ask("40")), "Wtype": "FundBalance"}),
			"a proof":        take("40", m{"passkey": me.signs(d, "factor/prove", nil)}),
		} {
			if got == withdrawn {
				t.Errorf("%s confirms it", what)
			}
		}
		code := p.code()
		if got := me.post("Withdrawal", with(ask("4000"), m{"uid": id(me.uid), "otp": code})).result(); !strings.Contains(got, "nsufficient") {
			t.Errorf("more than there is: %q", got)
		}
		once := with(ask("40"), m{"uid": id(me.uid), "otp": code}) // a refusal does not use it up
		for range 2 {
			if got := me.post("Withdrawal", once, "Idempotency-Key", "w1").result(); got != withdrawn {
				t.Fatalf("by a code: %q", got)
			}
		}
		if got := me.post("Withdrawal", with(ask("41"), m{"uid": id(me.uid), "otp": code})).result(); got == withdrawn {
			t.Error("a code confirms two withdrawals")
		}
		signed := me.signs(d, "factor/withdrawal", ask("30"))
		if got := take("30", m{"passkey": signed}); got != withdrawn {
			t.Errorf("by a passkey: %q", got)
		}
		if got := take("30", m{"passkey": signed}); got == withdrawn {
			t.Error("a passkey's answer confirms two withdrawals")
		}
		signed = me.signs(d, "factor/withdrawal", ask("20"))
		me.setWallet(otherWallet, pin)
		if got := take("20", m{"passkey": signed}); got == withdrawn {
			t.Error("a passkey's answer confirms another address")
		}
		if n := me.report("WithdrawlHistory", nil).Total; n != 2 {
			t.Errorf("%d withdrawals", n)
		}
	})
}

func TestWithdrawalsAboveTheLimitTakeASecondFactor(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--withdraw-factor-above", "50")
	me, _ := s.earner("200")
	if got := me.take("LevelIncome", "50", me.code("LevelIncome", "50")).result(); got != withdrawn {
		t.Errorf("as much as the limit: %q", got)
	}
	s.clock.Advance(10 * time.Minute)
	const text = "Withdrawals above 50 USDT take a second factor. Set one up and try again."
	if got := me.post("Withdrawalupdate", m{"Email": annasMail, "Request_amount": "51", "Wtype": "LevelIncome", "withdrawlType": "USDT"}).word(); got != text {
		t.Errorf("asking for a code: %q", got)
	}
	if got := me.take("LevelIncome", "51", me.code("", "")).result(); got != text {
		t.Errorf("by a mailed code: %q", got)
	}
	var now standingNow
	if me.get("factor").into(&now); now.Data.Above != "50.000000" {
		t.Errorf("%+v", now.Data)
	}
	p := me.app()
	if got := me.take("LevelIncome", "51", p.code()).result(); got != withdrawn {
		t.Errorf("by the app: %q", got)
	}
	finance, owner := s.hire(auth.RoleFinance), s.operator()
	body := m{"withdraw_member_daily": "5000", "withdraw_total_daily": "50000", "withdraw_two_above": "1000", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"}
	owner.decideSetting(finance.proposeSetting("limits", body), true).into(&m{})
	if me.get("factor").into(&now); now.Data.Above != "50.000000" { // the old value remains where the response has none
		t.Errorf("%+v", now.Data)
	}
	if got := me.get("factor").text; !strings.Contains(got, `"above":null`) {
		t.Error(got)
	}
}

func TestSupportRemovesALostFactorAndPausesWithdrawals(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		support := s.hire(auth.RoleSupport)
		ask := m{"uid": me.uid, "reason": "lost the phone, seen on video"}
		support.post("operator/member/factor/reset", ask).refused(http.StatusConflict)
		me.app()
		s.clock.Advance(48 * time.Hour)
		support = s.hire(auth.RoleSupport)
		reader, owner := s.hire(auth.RoleReadOnly), s.operator()
		reader.post("operator/member/factor/reset", ask).refused(http.StatusForbidden)
		support.post("operator/member/factor/reset", m{"uid": me.uid, "reason": "x"}).names("reason")
		support.post("operator/member/factor/reset", ask).into(&m{})
		me.get("factor").unauthenticated()
		if l := s.letters(annasMail)[0]; !strings.Contains(l.Subject, "removed your second factor") || !strings.Contains(l.Text, "seen on video") {
			t.Errorf("mailed %q", l.Subject)
		}
		var page auditPage
		if owner.get("operator/audit?act=member%20factor%20reset").into(&page); len(page.Data[0]) != 1 {
			t.Errorf("the audit log says %+v", page)
		}
		me = s.login(me.uid, password)
		me.withdraw("LevelIncome", "40")
		id := s.lastWithdrawal(owner)
		owner.post("operator/withdrawals/approve", m{"id": id}).into(&m{})
		owner.post("operator/withdrawals/sent", m{"id": id, "hash": "0x" + strings.Repeat("ab", 32)}).says(422, "cannot be paid before")
	})
}

func (s *site) lastWithdrawal(operator client) string {
	s.t.Helper()
	row, _ := operator.get("operator/withdrawals").rows()[0].(m)
	number, _ := row["id"].(string)
	return number
}

// Write access to the database neither removes a factor nor adds a passkey.
func TestSecondFactorRemovedInTheDatabaseIsDetected(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"its row":         "DELETE FROM factor WHERE kind = 'member'",
		"its secret":      "UPDATE factor SET secret = pending WHERE kind = 'member'",
		"the credential":  "UPDATE credential SET factor_set = 0",
		"recovery codes":  "UPDATE factor_recovery SET used_at = 0",
		"a passkey":       "UPDATE passkey SET name = 'x'",
		"a passkey's row": "DELETE FROM passkey",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Site(t, func(t *testing.T, dsn string) {
				s := openSite(t, dsn)
				me, _ := s.anna()
				p := me.app()
				var b begun
				me.post("factor/passkeys/begin", m{"password": password, "code": p.recovery[0], "name": "Phone"}).into(&b)
				me.post("factor/passkeys/add", newDevice(t).make(b)).into(&m{})
				if err := closing.CheckBooks(t.Context(), s.db.Books()); err != nil {
					t.Fatal(err)
				}
				raw := testkit.Raw(t, s.dsn)
				if _, err := raw.Exec(change); err != nil {
					t.Fatal(err)
				}
				if err := closing.CheckBooks(t.Context(), s.db.Books()); err == nil {
					t.Error("verify says nothing")
				}
				if a := s.home(id(me.uid)).post("login", m{"uid": id(me.uid), "password": password}); a.status == http.StatusOK && (strings.Contains(a.text, `"token"`) || name == "its row") {
					t.Errorf("the password alone answers %s", a.text)
				}
			})
		})
	}
}

func TestErasureRemovesTheSecondFactor(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		p := me.app()
		var b begun
		me.post("factor/passkeys/begin", m{"password": password, "code": p.code(), "name": "Annas Phone"}).into(&b)
		me.post("factor/passkeys/add", newDevice(t).make(b)).into(&m{})
		maker, checker := s.hire(auth.RoleCompliance), s.hire(auth.RoleCompliance)
		files := unzip(t, maker.post("operator/member/export", m{"uid": me.uid, "reason": "she asked for it"}).text)
		if f := files["second-factor.json"]; !strings.Contains(f, `"app":"1"`) || !strings.Contains(f, `"recoveryCodesLeft":"10"`) || strings.Contains(f, "secret\":") {
			t.Error(f)
		}
		if f := files["passkeys.json"]; !strings.Contains(f, "Annas Phone") || strings.Contains(f, "credential") {
			t.Error(f)
		}
		maker.post("operator/block", m{"uid": me.uid, "reason": "the account is closed"}).into(&m{})
		maker.post("operator/member/erasure/propose", m{"uid": me.uid, "reason": "the person asked for it"}).into(&m{})
		checker.erase(checker.erasures(me.uid).Erasures[0], true).into(&m{})
		if got := s.counts("passkey", "factor_challenge"); got != "passkey 0, factor_challenge 0, " {
			t.Error(got)
		}
		var left int
		if err := testkit.Raw(t, s.dsn).QueryRow("SELECT COALESCE(SUM(LENGTH(secret)), 0) + (SELECT COUNT(*) FROM factor_recovery WHERE kind = 'member') FROM factor WHERE kind = 'member'").Scan(&left); err != nil || left != 0 {
			t.Errorf("%d of the factor is left, %v", left, err)
		}
		if err := closing.CheckBooks(t.Context(), s.db.Books()); err != nil {
			t.Error(err)
		}
	})
}

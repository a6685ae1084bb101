package app

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const readersMail = "reader@mail.example"

// exported is a file of a member's personal data, by the names of its parts.
func (s *site) exported(officer client, uid int64) map[string]string {
	s.t.Helper()
	return unzip(s.t, officer.post("operator/member/export", m{"uid": uid, "reason": "the person asked for it"}).text)
}

// eraseWhole blocks a member and has two operators erase their data.
func (s *site) eraseWhole(maker, checker client, uid int64) {
	s.t.Helper()
	maker.post("operator/block", m{"uid": uid, "reason": "the account is closed"}).into(&m{})
	maker.post("operator/member/erasure/propose", m{"uid": uid, "reason": "the person asked for it"}).into(&m{})
	checker.erase(checker.erasures(uid).Erasures[0], true).into(&m{})
}

// A member enters a stranger's address and requests an export of the own data.
func TestUnconfirmedEmailReachesNoOtherMembersMails(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		maker, checker := s.hire(auth.RoleCompliance), s.hire(auth.RoleCompliance)
		s.visitor().post("newsletter", m{"email": readersMail}).into(&m{})
		wished := s.register(s.root.UID, tree.Left, "Anna Alpha")
		me := s.login(wished, password)
		me.outcome(with(profileForm(wished, s.pin(annasMail)), m{"email": readersMail}))
		joined := s.registered(s.visitor().post("registration", with(form(s.root.UID, tree.Right, "Ben Beta"), m{"email": readersMail})))

		held := func() (n int) {
			for _, l := range s.letters(readersMail) {
				if strings.Contains(l.Subject, "news") {
					n++
				}
			}
			return n
		}
		if held() != 1 || len(s.letters(readersMail)) != 3 {
			t.Fatalf("%d letters about news in %+v", held(), s.letters(readersMail))
		}
		files := s.exported(maker, wished)
		for kind, words := range map[string]string{
			"former-emails": `{"email":"` + readersMail + `","until":"2026-11-15T03:00:00Z","confirmed":"0"}`, // the address entered
			"mails":         "Confirm your",                                                                   // and the mail about it
		} {
			if !strings.Contains(files[kind+".json"], words) {
				t.Errorf("%s.json lacks %s: %s", kind, words, files[kind+".json"])
			}
		}
		for uid, files := range map[int64]map[string]string{wished: files, joined: s.exported(maker, joined)} {
			if strings.Contains(files["mails.json"], "news") || strings.Contains(files["newsletter.json"], readersMail) {
				t.Errorf("%d is given the stranger's mails: %s %s", uid, files["mails.json"], files["newsletter.json"])
			}
		}
		if strings.Contains(files["mails.json"], "Welcome Ben") || strings.Count(files["mails.json"], readersMail) != 1 {
			t.Errorf("one member is given the other's mails: %s", files["mails.json"])
		}
		s.eraseWhole(maker, checker, wished)
		if n := len(s.letters(readersMail)); held() != 1 || n != 2 {
			t.Errorf("after one erasure the stranger has %d letters about news of %d", held(), n)
		}
		s.eraseWhole(maker, checker, joined)
		if n := len(s.letters(readersMail)); held() != 1 || n != 1 {
			t.Errorf("after both erasures the stranger has %d letters about news of %d", held(), n)
		}
		var subscribed int
		if err := testkit.Raw(t, dsn).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM newsletter WHERE email = $1", readersMail).Scan(&subscribed); err != nil || subscribed != 1 {
			t.Errorf("the stranger is subscribed %d times, %v", subscribed, err)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
	})
}

// An operator may also be a member with the same address.
func TestErasureKeepsOperatorMails(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		maker, checker := s.hire(auth.RoleCompliance), s.hire(auth.RoleCompliance)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		s.confirm(uid, operatorEmail)
		s.eraseWhole(maker, checker, uid)
		if got := s.letters(operatorEmail); len(got) != 1 || !strings.Contains(got[0].Subject, "approval is needed") {
			t.Errorf("the operator has %+v", got)
		}
	})
}

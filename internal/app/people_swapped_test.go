package app

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// An attacker with write access to the database redirects a member's mail or payouts. The
// attacker gets neither a password nor a code nor money, and further changes of the member
// do not hide it.
func TestChangedContactIsSentAndPaidNothing(t *testing.T) {
	t.Parallel()
	const evil = "evil@mail.example"
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--bank-details", "true")
		me, pin := s.earner("100")
		code := me.code("LevelIncome", "40")
		owner := s.operator()
		raw := testkit.Raw(t, dsn)
		run := func(query string, args ...any) {
			t.Helper()
			if _, err := raw.ExecContext(t.Context(), query, args...); err != nil {
				t.Fatal(err)
			}
		}
		stopped := func(what string, a answer) {
			t.Helper()
			if !strings.Contains(a.text, "Contact support") || len(s.letters(evil)) != 0 || !strings.Contains(s.ledger.State().Head.Frozen, "Member "+id(me.uid)) {
				t.Errorf("%s: %s, %d letters, and payments are frozen: %q", what, a.text, len(s.letters(evil)), s.ledger.State().Head.Frozen)
			}
			if err := s.ledger.Unfreeze(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		found := func(what string) {
			t.Helper()
			if _, err := Verify(t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "member "+id(me.uid)) {
				t.Errorf("verify of %s: %v", what, err)
			}
		}

		run("UPDATE member SET email = $1, email_key = $1 WHERE uid = $2", evil, me.uid)
		stopped("forgotten", s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}))
		stopped("a code", s.visitor().post("Withdrawalupdate", m{"uid": id(me.uid), "Email": evil}))
		stopped("a transaction password", owner.post("operator/member/transactionPassword", m{"uid": id(me.uid), "reason": "she called us"}))
		stopped("another bank", me.post("UpdateProfile", bankForm(me.uid, pin)))
		stopped("blocked", owner.post("operator/block", m{"uid": id(me.uid), "reason": "looks odd"}))
		found("an e-mail")
		run("UPDATE member SET email = $1, email_key = $1 WHERE uid = $2", annasMail, me.uid)

		run("UPDATE member SET wallet = $1 WHERE uid = $2", otherWallet, me.uid)
		stopped("a code for another address", me.post("Withdrawalupdate", m{"Email": annasMail, "Request_amount": "40", "Wtype": "LevelIncome", "withdrawlType": "USDT"}))
		found("a wallet")
		run("UPDATE member SET wallet = $1, wallet_at = wallet_at - 1 WHERE uid = $2", annasWallet, me.uid)
		stopped("a withdrawal that need not wait", me.take("LevelIncome", "40", code))
		run("UPDATE member SET wallet_at = wallet_at + 1 WHERE uid = $1", me.uid)
		s.verified()
		if text := s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).data(); text != "Password sent to Email Id" {
			t.Errorf("as it was, it answers %v", text)
		}
	})
}

// A purchase whose payer was changed in the database is not refunded to the new payer.
func TestPurchaseWithAChangedPayerIsNotRefunded(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, root, anna := bought(t, dsn)
		sale := ""
		for _, row := range anna.get("refundable?uid=" + id(anna.uid)).rows() {
			if row.(m)["uid"] == id(anna.uid) {
				sale, _ = row.(m)["id"].(string)
			}
		}
		if _, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE sale SET payer = $1 WHERE id = $2", root.uid, sale); err != nil {
			t.Fatal(err)
		}
		before := s.balance("L:FUND:FUNDS:" + id(root.uid))
		root.post("RefundPurchase", m{"uid": id(root.uid), "sale": sale, "ctrans_password": s.root.TransactionPassword}).says(409, "Contact support")
		if now := s.balance("L:FUND:FUNDS:" + id(root.uid)); now != before || !strings.Contains(s.ledger.State().Head.Frozen, "Sale") {
			t.Errorf("the thief had %v and has %v; payments are frozen: %q", before, now, s.ledger.State().Head.Frozen)
		}
	})
}

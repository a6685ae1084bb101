//go:build !race

package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

type heldPayouts struct {
	Data struct {
		Held                        bool
		State, Cause, Detail, Alone string
		Digest                      string
		Found                       []struct {
			Hash, Withdrawal string
			Own              bool
		}
	}
}

// A payout is signed and broadcast after a backup, the backup is restored, and the
// payout is mined then.
func TestRestoreWithAnUnminedPayoutPaysOnceAndEndsSessions(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		me, _ := s.earner("100")
		maker := s.hire(auth.RoleFinance)
		number := me.withdraw("LevelIncome", "40")
		maker.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		var batch, seen struct {
			Data struct {
				ID            int64
				Total, Digest string
			}
		}
		maker.post("operator/payouts/propose", m{"way": "hot"}).into(&batch)
		maker.get("operator/payouts/batch?batch=" + id(batch.Data.ID)).into(&seen)
		maker.post("operator/payouts/approve", m{"batch": batch.Data.ID, "digest": seen.Data.Digest}).into(&m{})
		file := filepath.Join(t.TempDir(), "x.backup")
		if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file, Environ: os.Environ()}); err != nil {
			t.Fatal(err)
		}
		s.pay() // the backup does not know it
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		done, err := Restore(t.Context(), s.cfg, RestoreRequest{From: file, Force: true, Environ: os.Environ()})
		if err != nil || done.Reactivated.Approved != 1 || done.Reactivated.Batches != 1 || done.Reactivated.Sessions < 2 {
			t.Fatalf("%+v, %v", done.Reactivated, err)
		}
		if _, err := VerifyWith(t.Context(), s.cfg, VerifyOptions{NewAnchor: true}); err != nil {
			t.Fatal(err)
		}
		s.App = cheapApp(t, s.cfg, s.clock)
		for who, c := range map[string]client{"the member": me, "the operator": maker} {
			c.s = s.site
			path := "moneyRules"
			if who == "the operator" {
				path = "operator/me"
			}
			if got := c.get(path); got.status != http.StatusUnauthorized {
				t.Errorf("%s is still signed in: %d", who, got.status)
			}
		}
		maker = s.hire(auth.RoleFinance)
		var held heldPayouts
		maker.get("operator/payouts/hold").into(&held)
		if !held.Data.Held || held.Data.State != "held" || held.Data.Cause != "restore" {
			t.Fatalf("%+v", held)
		}
		if text := maker.get("operator/health").text; !strings.Contains(text, `"payouts_held":"On `) {
			t.Errorf("health: %s", text)
		}
		maker.post("operator/payouts/propose", m{"way": "manual"}).says(422, "Payouts are held")
		maker.post("operator/payouts/hold/settle", m{"reason": "x"}).names("reason")
		maker.post("operator/payouts/hold/settle", m{"reason": "the disk was lost"}).into(&m{})
		for range 10 {
			s.pay()
			s.chain.Mine(deep) // and with the rest the payout that was signed before
		}
		maker.get("operator/payouts/hold").into(&held)
		if held.Data.State != "settled" || len(held.Data.Found) != 1 || held.Data.Found[0].Withdrawal != number || !held.Data.Found[0].Own {
			t.Fatalf("%+v", held)
		}
		maker.post("operator/payouts/hold/adopt", m{"reason": "seen", "digest": "1"}).refused(http.StatusUnprocessableEntity)
		maker.post("operator/payouts/hold/adopt", m{"reason": "seen", "digest": held.Data.Digest}).into(&m{})
		for range 4 {
			s.pay()
			s.chain.Mine(deep)
		}
		units := s.chain.Balance(t, s.token, annasWallet)
		if net := money.MustParse(batch.Data.Total); units.String() != strconv.FormatInt(net.Micros(), 10)+"000000000000" {
			t.Errorf("Anna got %s, not %s", units, net)
		}
		row := maker.get("operator/withdrawals?uid=" + id(me.uid)).rows()[0].(m)
		s.shows("the withdrawal", row, m{"ss": "Sent", "hash": held.Data.Found[0].Hash, "batch": ""})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Error(err)
		}
	})
}

// Between a restore and its adoption a payout that may have been paid cannot be cancelled.
func TestWithdrawalIsNotCancelledDuringARestoreReview(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.earner("100")
	number := me.withdraw("LevelIncome", "40")
	file := filepath.Join(t.TempDir(), "x.backup")
	if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), s.cfg, RestoreRequest{From: file, Force: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyWith(t.Context(), s.cfg, VerifyOptions{NewAnchor: true}); err != nil {
		t.Fatal(err)
	}
	s.App = cheapApp(t, s.cfg, s.clock)
	me = s.login(me.uid, password)
	operator := s.hire(auth.RoleFinance)
	if got := me.post("CancelWithdrawal", m{"uid": me.uid, "id": number}).result(); !strings.Contains(got, "cannot be cancelled now") {
		t.Errorf("cancelled: %s", got)
	}
	operator.post("operator/withdrawals/reject", m{"id": number, "remark": "no"}).says(422, "Payouts are held")
	operator.post("operator/payouts/hold/settle", m{"reason": "no chain here"}).into(&m{})
	var held heldPayouts
	operator.get("operator/payouts/hold").into(&held)
	operator.post("operator/payouts/hold/adopt", m{"reason": "looked at it", "digest": held.Data.Digest}).into(&m{})
	if got := me.post("CancelWithdrawal", m{"uid": me.uid, "id": number}).result(); got != "Withdrawal has been cancelled !!" {
		t.Errorf("after it: %s", got)
	}
}

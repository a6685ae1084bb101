package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestSupportSeesNoBankDetails(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--bank-details", "true")
	me, pin := s.anna()
	form := bankForm(me.uid, pin)
	if text, field := me.outcome(form); text != "Bank Update Successfully" {
		t.Fatalf("%s about %s", text, field)
	}
	secrets := []string{"12345678901", "ABCDE1234F", "234123412346", "HDFC0000001", "Anna Alpha\", \"accountnumber"}
	if own := me.post("UserInformation", m{"uid": me.uid}); !strings.Contains(own.text, "12345678901") || !strings.Contains(own.text, "ABCDE1234F") {
		t.Errorf("the member sees %s", own.text)
	}
	visit := s.visit(s.hire(auth.RoleSupport), me.uid)
	for call, a := range map[string]answer{
		"the visit":      visit.post("UserInformation", m{"uid": me.uid}),
		"support":        s.hire(auth.RoleSupport).get("operator/member?uid=" + id(me.uid)),
		"compliance":     s.hire(auth.RoleCompliance).get("operator/member?uid=" + id(me.uid)),
		"who only reads": s.hire(auth.RoleReadOnly).get("operator/member?uid=" + id(me.uid)),
	} {
		if a.status != 200 {
			t.Errorf("%s: %d %s", call, a.status, a.text)
		}
		for _, secret := range secrets {
			if strings.Contains(a.text, secret) {
				t.Errorf("%s sees %q: %s", call, secret, a.text)
			}
		}
	}
	if row := visit.post("UserInformation", m{"uid": me.uid}).data().([]any)[0].(m); row["accountnumber"] != "••••8901" || row["PAN"] != "••••234F" || row["AAdhar"] != "••••2346" {
		t.Errorf("a visit sees %v", row)
	}
	if a := s.hire(auth.RoleFinance).get("operator/member?uid=" + id(me.uid)); !strings.Contains(a.text, "12345678901") {
		t.Errorf("who pays sees %s", a.text)
	}
}

// A file shows an operator no more than the screens do.
func TestExportForComplianceHasNoBankDetails(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--bank-details", "true")
		me, pin := s.anna()
		if text, field := me.outcome(bankForm(me.uid, pin)); text != "Bank Update Successfully" {
			t.Fatalf("%s about %s", text, field)
		}
		profile := func(c client) string {
			a := c.post("operator/member/export", m{"uid": me.uid, "reason": "she asked for it"})
			if a.status != 200 {
				t.Fatalf("%d %s", a.status, a.text)
			}
			return unzip(t, a.text)["profile.json"]
		}
		secrets := []string{"12345678901", "ABCDE1234F", "234123412346", "HDFC0000001"}
		masked := profile(s.hire(auth.RoleCompliance))
		for _, secret := range secrets {
			if strings.Contains(masked, secret) {
				t.Errorf("compliance exports %q: %s", secret, masked)
			}
		}
		for _, part := range []string{`"bankAccount":"••••8901"`, `"pan":"••••234F"`, `"aadhar":"••••2346"`} {
			if !strings.Contains(masked, part) {
				t.Errorf("compliance exports no %s: %s", part, masked)
			}
		}
		whole := profile(s.hire(auth.RoleOwner))
		for _, secret := range secrets {
			if !strings.Contains(whole, secret) {
				t.Errorf("an owner's file lacks %q: %s", secret, whole)
			}
		}
		for _, role := range []auth.Role{auth.RoleFinance, auth.RoleSupport, auth.RoleReadOnly} {
			s.hire(role).post("operator/member/export", m{"uid": me.uid, "reason": "she asked for it"}).refused(403)
		}
	})
}

func TestBankDetailsAreEncryptedInTheDatabase(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--bank-details", "true")
		me, pin := s.anna()
		if text, field := me.outcome(bankForm(me.uid, pin)); text != "Bank Update Successfully" {
			t.Fatalf("%s about %s", text, field)
		}
		raw := testkit.Raw(t, dsn)
		var row string
		if err := raw.QueryRow("SELECT bank_holder || bank_account || bank_ifsc || bank_name || bank_branch || pan || aadhar || bank_key FROM member WHERE bank_key <> ''").Scan(&row); err != nil {
			t.Fatal(err)
		}
		secrets := []string{"12345678901", "ABCDE1234F", "234123412346", "HDFC0000001"}
		for _, secret := range secrets {
			if strings.Contains(row, secret) {
				t.Errorf("the row has %q", secret)
			}
		}
		if path, is := strings.CutPrefix(dsn, "sqlite:"); is {
			files, _ := filepath.Glob(path + "*")
			for _, f := range files {
				all, err := os.ReadFile(f)
				for _, secret := range secrets {
					if err != nil || strings.Contains(string(all), secret) {
						t.Errorf("%s has %q, %v", filepath.Base(f), secret, err)
					}
				}
			}
		}
		// The export of a member's own data has them.
		var file strings.Builder
		if err := s.db.Office().Personal(t.Context(), me.uid, true, func(string) error { return nil }, func(fields []staff.PersonalField) error {
			_, err := fmt.Fprintln(&file, fields)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for _, secret := range secrets {
			if !strings.Contains(file.String(), secret) {
				t.Errorf("the member's own data lack %q", secret)
			}
		}
		// Details moved to another member, or planted, cannot be decrypted.
		if _, err := raw.Exec("UPDATE member SET pan = (SELECT pan FROM member WHERE uid = $1), bank_account = '99', bank_key = 'x' WHERE uid = $2", me.uid, s.root.UID); err != nil {
			t.Fatal(err)
		}
		got, _, err := s.services.Members.Get(t.Context(), s.root.UID)
		if err != nil || got.Bank.PAN != "" || got.Bank.Account != "" {
			t.Errorf("got %+v, %v", got.Bank, err)
		}
		if err := s.db.CheckSealed(t.Context()); err == nil || !strings.Contains(err.Error(), "member "+id(s.root.UID)) {
			t.Errorf("verify says %v", err)
		}
	})
}

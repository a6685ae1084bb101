package app

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// The demo brand's accounts belong to nobody: members' payments to them would be lost.
func TestOnlyADemoOffersDemoAccounts(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	me := s.login(s.root.UID, rootPassword)
	for _, action := range []string{"1", "11"} {
		var got struct{ Data []m }
		me.get("adminBankDetailsByBankid?id=0&action=" + action + "&uid=" + id(me.uid)).into(&got)
		if len(got.Data) != 0 {
			t.Errorf("action %s offers %v", action, got.Data)
		}
	}
	if got := me.post("FundRequest", usdt(me.uid, "100", someHash)).word(); !strings.Contains(got, "USDT cannot be sent") {
		t.Errorf("a request by USDT: %s", got)
	}
}

// Deleted data is removed from the file too, not only from its tables.
func TestDeletedRowsAreOverwrittenInTheFile(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	s.anna()
	if secret := after(s.letters(annasMail)[0].Text, "Transaction password:"); secret == "" {
		t.Fatal("there is no letter")
	}
	var secret string // the part of it in a copy of the database
	if err := testkit.Raw(t, s.dsn).QueryRow("SELECT letter FROM outbox WHERE recipient = $1", annasMail).Scan(&secret); err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(s.dsn, "sqlite:")
	holds := func() bool {
		t.Helper()
		raw := testkit.Raw(t, s.dsn)
		// Concurrent reads and writes keep the log from being merged into the file.
		for busy := 1; busy != 0; {
			var log, moved int
			if err := raw.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved); err != nil {
				t.Fatal(err)
			}
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(file, []byte(secret))
	}
	if secret == "" || !holds() {
		t.Fatal("the letter that waits is not in the file: this test would prove nothing")
	}
	if _, err := s.db.Pools()["write"].Exec("UPDATE outbox SET state = 'sent', letter = ''"); err != nil {
		t.Fatal(err)
	}
	if holds() {
		t.Error("the letter is still in the file")
	}
}

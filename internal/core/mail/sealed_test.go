package mail_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestAWaitingLetterCannotBeReadInTheDatabase(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		h.mustQueue("ann@example.org")
		var letter string
		if err := testkit.Raw(t, dsn).QueryRow("SELECT letter FROM outbox").Scan(&letter); err != nil {
			t.Fatal(err)
		}
		if letter == "" || strings.Contains(letter, "tp-secret") {
			t.Errorf("the outbox has %q", letter)
		}
		h.drain(1)
		if err := testkit.Raw(t, dsn).QueryRow("SELECT letter FROM outbox").Scan(&letter); err != nil || letter != "" {
			t.Errorf("once it is sent the outbox has %q, %v", letter, err)
		}
	})
}

func TestAMailWithAChangedRowIsNotSent(t *testing.T) {
	for name, attack := range map[string]string{
		"another recipient":    "UPDATE outbox SET recipient = 'thief@example.org' WHERE id = 1",
		"another subject":      "UPDATE outbox SET subject = 'Call this number' WHERE id = 1",
		"in clear":             `UPDATE outbox SET letter = '{"Text":"Call this number"}' WHERE id = 1`,
		"another row's letter": "UPDATE outbox SET letter = (SELECT letter FROM outbox WHERE id = 2) WHERE id = 1",
		"emptied":              "UPDATE outbox SET letter = '' WHERE id = 1",
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Site(t, func(t *testing.T, dsn string) {
				h := openHouse(t, dsn, nil)
				h.mustQueue("ann@example.org", "bob@example.org")
				if err := h.DB.CheckSealed(t.Context()); err != nil {
					t.Fatalf("before: %v", err)
				}
				if _, err := testkit.Raw(t, dsn).Exec(attack); err != nil {
					t.Fatal(err)
				}
				if err := h.DB.CheckSealed(t.Context()); err == nil || !strings.Contains(err.Error(), "outbox 1") {
					t.Errorf("verify says %v", err)
				}
				h.drain(1)
				h.wantArrived("bob@example.org") // whose own letter still goes out
				if m := h.rows()[0]; m.State != mail.Failed || m.Error != mail.TextForged {
					t.Errorf("got %+v", m)
				}
				if n, err := h.mail.Forged(t.Context()); n != 1 || err != nil {
					t.Errorf("%d are told, %v", n, err)
				}
			})
		})
	}
}

func TestALetterThatWasTakenAwayIsNamed(t *testing.T) {
	t.Parallel()
	dsn := testkit.SQLite(t)
	h := openHouse(t, dsn, nil)
	h.mustQueue("ann@example.org", "bob@example.org")
	if _, err := testkit.Raw(t, dsn).Exec("DELETE FROM outbox WHERE id = 1"); err != nil {
		t.Fatal(err)
	}
	if err := h.DB.CheckSealed(t.Context()); err == nil || !strings.Contains(err.Error(), "outbox 1") {
		t.Errorf("verify says %v", err)
	}
}

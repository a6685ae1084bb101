package audit

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestEverySlotOfTheLastHeadNamesItsLedger(t *testing.T) {
	t.Parallel()
	const one, two = "0123456789abcdef", "fedcba9876543210"
	path := filepath.Join(t.TempDir(), "ledger.anchor")
	if _, err := LastOwner(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no file: %v", err)
	}
	write := func(n int64, ledgerID string) {
		t.Helper()
		longest := Anchor{Batch: math.MaxInt64, Seq: math.MaxInt64, At: time.Date(2026, 11, 15, 3, 12, 21, 0, time.UTC), Ledger: ledgerID}
		if err := WriteLast(path, n, longest); err != nil {
			t.Fatal(err)
		}
		if last, err := ReadLast(path); err != nil || last != longest && n == 0 {
			t.Errorf("slot %d is read as %+v, %v", n, last, err)
		}
	}
	of := func(want string) {
		t.Helper()
		if owner, err := LastOwner(path); err != nil || owner != want {
			t.Errorf("it is of %q, %v; want %q", owner, err, want)
		}
	}
	write(0, "") // by an older program
	of("")
	write(1, one)
	of(one)
	write(0, one)
	of(one)
	write(1, two)
	if _, err := LastOwner(path); err == nil || !strings.Contains(err.Error(), LastFile(path)+" names two ledgers") {
		t.Errorf("of two ledgers: %v", err)
	}
	if info, err := os.Stat(LastFile(path)); err != nil || info.Size() != 2*slotSize {
		t.Errorf("the file: %v, %v", info, err)
	}
}

func TestALineOfTheAnchorFileIsAsBefore(t *testing.T) {
	t.Parallel()
	a, err := parseAnchor([]byte(anchorJSON(7)))
	if err != nil {
		t.Fatal(err)
	}
	if line, err := a.Line(); err != nil || strings.Contains(string(line), "ledger") {
		t.Errorf("%s, %v", line, err)
	}
	if _, err := parseAnchor([]byte(strings.Replace(anchorJSON(7), "{", `{"ledger":"mine",`, 1))); err == nil {
		t.Error("a ledger that cannot be is taken")
	}
}

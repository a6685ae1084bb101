package audit

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Finding is the first wrong row.
type Finding struct {
	Table   string `json:"table"`
	Row     string `json:"row"`     // such as "account L:FUND:FUNDS:100007 version 12, transfer 345 leg 1"
	Problem string `json:"problem"` // the stored and the expected value
}

// Error returns a sentence for users.
func (f *Finding) Error() string {
	return fmt.Sprintf("%s (table %s): %s", f.Row, f.Table, f.Problem)
}

func wrong(table, row, format string, args ...any) error {
	return &Finding{Table: table, Row: printable(row), Problem: printable(fmt.Sprintf(format, args...))}
}

// printable removes control characters, because a tampered row could contain escape
// sequences for a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// differs is the most common finding: a column with a wrong value.
func differs(table, row, column string, stored, computed any) error {
	return wrong(table, row, "%s is stored as %v, but must be %v", column, stored, computed)
}

func batchRow(no int64) string     { return fmt.Sprintf("batch %d", no) }
func transferRow(seq int64) string { return fmt.Sprintf("transfer %d", seq) }
func holdRow(id int64) string      { return fmt.Sprintf("hold %d", id) }

func accountRow(id int64, code string) string {
	if code == "" {
		return fmt.Sprintf("account id %d", id)
	}
	return fmt.Sprintf("account %s (id %d)", code, id)
}

func entryRow(e *Entry) string {
	name := e.Code
	if name == "" {
		name = "id " + strconv.FormatInt(e.Account, 10)
	}
	return fmt.Sprintf("account %s version %d, transfer %d leg %d", name, e.Version, e.Seq, e.Leg)
}

// entryless names a missing entry.
func entryless(seq, leg int64) string { return fmt.Sprintf("transfer %d leg %d", seq, leg) }

func commandRow(c *Command) string {
	return fmt.Sprintf("command %d of batch %d (actor %q, key %q)", c.N, c.Batch, c.Actor, c.Key)
}

// usd writes micro-dollars as decimal dollars with six places.
func usd(micros int64) string { return usdBig(big.NewInt(micros)) }

func usdBig(micros *big.Int) string {
	digits := new(big.Int).Abs(micros).String()
	if len(digits) < 7 {
		digits = strings.Repeat("0", 7-len(digits)) + digits
	}
	sign := ""
	if micros.Sign() < 0 {
		sign = "-"
	}
	return sign + digits[:len(digits)-6] + "." + digits[len(digits)-6:]
}

// at formats a stored time for users.
func at(micros int64) string {
	return time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05.000000Z")
}

func hexOf(b []byte) string {
	if len(b) == 0 {
		return "nothing"
	}
	return hex.EncodeToString(b)
}

// Damage is a finding of the engine's own check of its files.
type Damage struct{ Check, Problem string }

func (d *Damage) Error() string {
	return "The database is damaged: " + d.Check + " found " + printable(d.Problem) + ". Restore a backup into a new place and verify that."
}

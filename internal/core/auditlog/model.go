// Package trail is the record of what operators do: who, what, about whom, what
// was before and what is now, and why. Entries are written in the command that
// does the act, so that there is none without the other, and are chained: each
// hash covers its entry and the hash before. Every minute a command puts the
// last hash into the ledger's signed chain; from then on nobody can change,
// drop or insert an entry before it without verify finding out.
package auditlog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Entry is one act.
type Entry struct {
	No       int64
	Operator int64  // 0 for the command line and the program itself
	Name     string // as people know them, at that time
	Act      string // such as "block": lower case
	Member   int64  // whom it is about; 0 for nobody
	Subject  string // what it is about, where that is no member
	Was      string // JSON; "" for nothing
	Became   string // JSON; "" for nothing
	Reason   string
	Shown    bool // the member whom it is about may see it
	At       time.Time
	Hash     Hash
}

// Hash of an entry and all before it.
type Hash [sha256.Size]byte

const maxReason = 200

// ParseReason is why somebody acts, as an entry holds it. Invalid for what says
// nothing.
func ParseReason(reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	n := utf8.RuneCountInString(reason)
	if n < 5 || n > maxReason || !utf8.ValidString(reason) || strings.ContainsFunc(reason, plain.Control) {
		return "", errs.BadField("reason", "approval.reason_5_200", "State the reason in 5 to 200 characters, on one line.")
	}
	return reason, nil
}

// State is a value as Was and Became hold it.
func State(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%q", err.Error())
	}
	return string(raw)
}

// after is the hash of e behind the entry with hash prev. Every field counts,
// with its length, so that no two entries are written alike.
func (e Entry) after(prev Hash) Hash {
	b := append([]byte("bifolia trail 1\x00"), prev[:]...)
	number := func(n int64) { b = binary.BigEndian.AppendUint64(b, uint64(n)) }
	shown := int64(0)
	if e.Shown {
		shown = 1
	}
	number(e.No)
	number(e.Operator)
	number(e.Member)
	number(shown)
	number(e.At.UnixMicro())
	for _, s := range []string{e.Name, e.Act, e.Subject, e.Was, e.Became, e.Reason} {
		number(int64(len(s)))
		b = append(b, s...)
	}
	return sha256.Sum256(b)
}

// Filter says which entries are wanted; zero values are open.
type Filter struct {
	Operator int64
	Act      string
	Member   int64
	Shown    bool      // only what the member may see
	From, To time.Time // From included, To not
	Before   int64     // entries with a smaller number: the next page
	Limit    int
}

// Seal is what the signed chain says: this entry has this hash.
type Seal struct {
	No   int64  `json:"no"`
	Hash []byte `json:"hash"`
}

// Finding is the first entry with which something is wrong.
type Finding struct {
	No   int64
	What string
}

func (f *Finding) Error() string { return fmt.Sprintf("entry %d: %s", f.No, f.What) }
